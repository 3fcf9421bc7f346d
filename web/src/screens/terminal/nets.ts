// What the seat ends with by who wins, in text: the server's numbers, and what more insurance would add to them.

import { t } from '../../lib/i18n.svelte';
import { showCents } from '../../lib/money';
import type { NetView, Offer, Winner } from '../../lib/protocol';

export interface End {
  winner: Winner;
  title: string;
  text: string; // "+17.00 or +67.00"
}

const TITLES = { player: 'Player wins', banker: 'Banker wins', tie: 'Tie' } as const;

/** With so much more insurance on this offer; each betting unit of it brings what the server says. */
export function endsWith(net: NetView, offer: Offer, cents: number, unitCents: number): End[] {
  return (['player', 'banker', 'tie'] as const).flatMap((winner) => {
    const nets = net.by_winner[winner];
    const more = (offer.net_cents[winner] ?? 0) * (cents / unitCents);
    return nets ? [{ winner, title: t(TITLES[winner]), text: severalText(nets.map((one) => one + more)) }] : [];
  });
}

function severalText(nets: readonly number[]): string {
  const [least, most] = [nets[0] ?? 0, nets.at(-1) ?? 0];
  if (nets.length < 2) return signed(least);
  const values = { least: signed(least), most: signed(most) };
  return nets.length === 2 ? t('{least} or {most}', values) : t('{least} to {most}', values);
}

function signed(cents: number): string {
  return cents > 0 ? `+${showCents(cents)}` : cents < 0 ? showCents(cents) : `±${showCents(0)}`;
}
