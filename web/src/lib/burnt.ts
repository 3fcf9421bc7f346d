// The first cards of a shoe that was loaded and has had no round yet: burnt, one of them face up.

import { cardSigns } from './cards';
import { t } from './i18n.svelte';
import type { BurntView, TableView } from './protocol';

/** What was burnt, from the moment it is shown until the first round of the shoe opens. */
export function justBurnt(table: TableView): BurntView | null {
  return table.shoe.next_burnt?.card ? table.shoe.next_burnt : null;
}

export function burntText(burnt: BurntView): string {
  return t('Burnt: {card} and {count} face down', { card: cardSigns(burnt.card), count: burnt.face_down });
}
