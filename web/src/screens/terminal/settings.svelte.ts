// What a player may choose for this terminal. Kept in the browser; nothing of it concerns money.

import { kept, keep } from './kept';

export class Settings {
  sound = $state(kept('sound') === 'on');
  squeeze = $state(kept('squeeze') !== 'off');
  largePrint = $state(kept('large-print') === 'on');
  keys = $state(kept('keys') !== 'off');

  set(name: 'sound' | 'squeeze' | 'largePrint' | 'keys', on: boolean): void {
    this[name] = on;
    keep(name === 'largePrint' ? 'large-print' : name, on ? 'on' : 'off');
  }
}
