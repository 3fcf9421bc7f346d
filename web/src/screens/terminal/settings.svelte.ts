// What a player may choose for this terminal. Kept in the browser; nothing of it concerns money.

import { kept, keep } from './kept';

export class Settings {
  sound = $state(kept('sound') === 'on');
  squeeze = $state(kept('squeeze') !== 'off');
  largePrint = $state(kept('large-print') === 'on');
  keys = $state(kept('keys') !== 'off');
  sheet = $state(kept('sheet') !== 'off');
  rack = $state.raw<readonly number[]>(readRack(kept('rack'))); // the player's own chips; none: the table's

  set(name: 'sound' | 'squeeze' | 'largePrint' | 'keys' | 'sheet', on: boolean): void {
    this[name] = on;
    keep(name === 'largePrint' ? 'large-print' : name, on ? 'on' : 'off');
  }

  choose(rack: readonly number[]): void {
    this.rack = rack;
    keep('rack', rack.join(' '));
  }
}

function readRack(text: string | null): number[] {
  return (text ?? '').split(' ').map(Number).filter((cents) => Number.isSafeInteger(cents) && cents > 0);
}
