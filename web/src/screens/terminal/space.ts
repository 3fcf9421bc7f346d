// Where the parts of the terminal stand, by the space there is and not by kinds of devices. Every part has a least size;
// what does not fit at its own is left to a key, in this order: pay table, tallies, derived roads. Where even the rest
// does not fit, the page is longer than the window. All in px but `rem`, which says how large print is.

import { leastHeight } from '../../parts/roads/arrange';
import type { View } from './seatclient.svelte';
import { inRows, insuranceRem, MAIN_REM } from './spots';

export const LEAST_CARD = 40;
const CARDS_ACROSS = 3.44; // of a hand: two upright, the third across
const LARGEST_CARD_REM = 15;

/** What is left free on both sides of the screen. */
export function edgeRem(width: number, rem: number): number {
  return width < 30 * rem ? 0.4 : 0.8;
}

/** How large print is: by the window's size whichever way it stands, never too small to read. */
export function printPx(width: number, height: number, largePrint: boolean): number {
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  const usual = Math.min(40, Math.max(15, Math.min(0.0092 * long, 0.0162 * short)));
  return largePrint ? Math.max(17.5, usual * 1.17) : usual;
}

// Several tables beside each other: print, and the least that each needs of the window.
const LEAST_TALL_REM = { width: 40, height: 40 }; // one under the other
const LEAST_LOW_REM = { width: 47, height: 27 }; // the spots beside cards and roads
const LINES_REM = 11; // over and under them

export function besidePx(tables: number, width: number, height: number, largePrint: boolean): number {
  const usual = printPx(width, height, largePrint);
  return largePrint || tables === 2 ? usual : Math.max(15, 0.86 * usual);
}

/** Whether so many tables can be read and played beside each other; if not, each has a tab. */
export function fitBeside(tables: number, width: number, height: number, largePrint: boolean): boolean {
  const rem = besidePx(tables, width, height, largePrint);
  const rows = Math.ceil(tables / 2);
  const each = { width: width / 2 / rem, height: (height / rem - LINES_REM) / rows };
  const least = rows === 1 ? LEAST_TALL_REM : LEAST_LOW_REM;
  return each.width >= least.width && each.height >= least.height;
}

export interface Space {
  width: number; // of the part between the top line and the meters
  height: number;
  rem: number;
  sides: number; // side bets of this game
  insured: boolean; // it has insurance spots
  view: View;
}

export interface Plan {
  shape: 'beside' | 'split' | 'under' | 'long';
  columns: string; // the grid's own lines
  rows: string;
  areas: string;
  pays: boolean;
  tallies: boolean;
  stacked: boolean; // one hand under the other
}

export function planFor(space: Space): Plan {
  const shapes = space.height > space.width ? [under, beside, split] : [beside, split, under];
  for (const shape of shapes) {
    const plan = shape(space);
    if (plan) return plan;
  }
  return long(space);
}

// What each part needs.

function gap(rem: number): number {
  return 0.7 * rem;
}

function handsWidth(rem: number): number {
  return 2 * (CARDS_ACROSS * LEAST_CARD + 1.3 * rem) + 1;
}

/** Both hands, their cards this wide; where there is room, the totals stand under the cards. */
function handsHeight(card: number, rem: number, roomy = false): number {
  return 1.4 * card + (roomy ? 7 : 3.4) * rem;
}

function cardFor(width: number, rem: number): number {
  return Math.max(LEAST_CARD, Math.min(LARGEST_CARD_REM * rem, (width / 2 - 2 * rem) / CARDS_ACROSS));
}

/** As wide as its space allows the cards, but no higher than what the others leave, or their part of it. */
function cardsTrack(width: number, height: number, others: number, rem: number): number {
  const most = height - others;
  const wanted = handsHeight(cardFor(width, rem), rem, true);
  return Math.max(handsHeight(LEAST_CARD, rem), Math.min(most, wanted, Math.max(0.45 * height, handsHeight(LEAST_CARD, rem))));
}

function spotsHeight(width: number, { sides, insured, rem }: Space): number {
  const rows = inRows(sides, width, rem);
  const main = inRows(3, width, rem);
  const insurance = insured ? insuranceRem(width, rem) + 0.5 : 0;
  return (rows.rem * rows.count + (main.rem + MAIN_REM) * main.count + 0.5 * (rows.count + main.count) + insurance) * rem;
}

function roadsHeight(rows: number, rem: number): number {
  return leastHeight(rows, 1.35 * rem, 0.7 * rem);
}

function talliesHeight(sides: number, rem: number): number {
  return (4 + 2 * Math.ceil(sides / 2)) * rem;
}

const ASK_REM = 4; // the line with the keys that ask the roads

// The shapes, each as large as it fits or not at all.

/** A wide window: the roads beside cards and spots, the pay table on the other side. */
function beside(space: Space): Plan | null {
  const { width, height, rem, sides, view } = space;
  const least = Math.max(handsWidth(rem), 26 * rem);
  const between = gap(rem);
  const side = view === 'spots' ? Math.min(Math.max(15 * rem, 0.23 * width), 34 * rem) : Math.max(0.55 * width, 15 * rem);
  const left = width - side - between;
  const pays = view === 'spots' && left - between - 19 * rem >= Math.max(least, 44 * rem) ? 19 * rem : 0;
  const play = pays ? left - between - pays : left;
  const spots = spotsHeight(play, space);
  if (play < least || height < handsHeight(LEAST_CARD, rem) + between + spots) return null;
  if (height < roadsHeight(2, rem) + ASK_REM * rem) return null;
  const cards = cardsTrack(play, height, spots + between, rem);
  const tallies = height >= talliesHeight(sides, rem) + roadsHeight(3, rem) * 1.3 + ASK_REM * rem && view !== 'boxes';
  return {
    shape: 'beside',
    columns: px(side, play, ...(pays ? [pays] : [])),
    rows: px(cards, height - cards - between),
    areas: pays ? '"roads cards pays" "roads spots pays"' : '"roads cards" "roads spots"',
    pays: pays > 0,
    tallies,
    stacked: false,
  };
}

/** A low window: cards over roads, beside the spots. With the roads large, cards over spots, beside the roads. */
function split(space: Space): Plan | null {
  const { width, height, rem, view } = space;
  const between = gap(rem);
  const small = Math.max(handsWidth(rem), 0.38 * width);
  const other = width - small - between;
  const roads = roadsHeight(1, rem) + ASK_REM * rem;
  const cards = handsHeight(LEAST_CARD, rem);
  const below = view === 'spots' ? roads : spotsHeight(small, space);
  const whole = view === 'spots' ? spotsHeight(other, space) : roads;
  if (other < 18 * rem || height < Math.max(cards + between + below, whole)) return null;
  const first = cardsTrack(small, height, below + between, rem);
  return {
    shape: 'split',
    columns: px(small, other),
    rows: px(first, height - first - between),
    areas: view === 'spots' ? '"cards spots" "roads spots"' : '"cards roads" "spots roads"',
    pays: false,
    tallies: false,
    stacked: false,
  };
}

/** A window that stands upright: cards, roads over the full width, spots. */
function under(space: Space): Plan | null {
  const { width, height, rem, view } = space;
  const between = gap(rem);
  const spots = spotsHeight(width, space);
  const bare = roadsHeight(1, rem) + ASK_REM * rem;
  const least = handsHeight(LEAST_CARD, rem) + bare + spots + 2 * between;
  if (width < handsWidth(rem) || height < least) return null;
  const spare = height - least;
  const tallies = width >= 40 * rem && spare > talliesHeight(0, rem) + roadsHeight(1, rem) + 8 * rem;
  const cards = Math.min(handsHeight(cardFor(width, rem), rem, true), handsHeight(LEAST_CARD, rem) + 0.4 * spare);
  const free = height - cards - spots - bare - 2 * between;
  const roads = bare + free * (view === 'spots' ? 0.6 : 1);
  return {
    shape: 'under',
    columns: px(width),
    rows: px(cards, roads, height - cards - roads - 2 * between),
    areas: '"cards" "roads" "spots"',
    pays: false,
    tallies,
    stacked: false,
  };
}

/** Longer than the window: everything at its least, one under the other, or in two columns. */
function long(space: Space): Plan {
  const { width, rem, view } = space;
  const between = gap(rem);
  const small = Math.max(handsWidth(rem), 0.42 * width);
  const isTwo = width - small - between >= 18 * rem;
  const column = isTwo ? small : width;
  const stacked = column < handsWidth(rem);
  const card = stacked ? Math.max(LEAST_CARD, Math.min(5 * rem, (column - rem) / CARDS_ACROSS)) : Math.min(cardFor(column, rem), 5 * rem);
  const cards = handsHeight(card, rem) * (stacked ? 2 : 1);
  const large = view !== 'spots';
  const across = column < 22 * rem ? 5 : 3; // rows of roads, if all five are to be seen
  const roads = ASK_REM * rem + roadsHeight(large ? across : column < 16 * rem ? 2 : 1, rem) * 1.15 + (view === 'boxes' ? 0.55 * column : 0);
  const plan = { shape: 'long', pays: false, tallies: false, stacked } as const;
  if (!isTwo) return { ...plan, columns: px(width), rows: `${px(cards, roads)} auto`, areas: '"cards" "roads" "spots"' };
  const areas = large ? '"cards roads" "spots roads"' : '"cards spots" "roads spots"';
  const under = large ? spotsHeight(small, space) : roads;
  return { ...plan, columns: px(small, width - small - between), rows: `${px(cards)} minmax(${px(under)}, auto)`, areas };
}

function px(...sizes: number[]): string {
  return sizes.map((size) => `${Math.floor(size)}px`).join(' ');
}
