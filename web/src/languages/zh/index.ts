// Simplified Chinese. Every other file of this folder has the sentences of one screen.

import type { Language } from '../../lib/i18n.svelte';

export const language: Language = { name: '中文', tag: 'zh-Hans', dates: 'zh-Hans', comma: '、' };
