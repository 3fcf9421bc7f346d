// English: the screens' own sentences, which the other languages translate.

import type { Language } from '../../lib/i18n.svelte';

export const language: Language = { name: 'English', tag: 'en', dates: 'en-GB', comma: ', ' };
