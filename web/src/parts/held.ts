// A dialog stays open while what was asked in it is on its way: nobody should wonder what became of it.

import { getContext, onDestroy, setContext } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';

type Busy = () => boolean;
const HELD = Symbol('held');

/** For the dialog: whether anything in it holds it open. */
export function heldOpen(): Busy {
  const holds = setContext(HELD, new SvelteSet<Busy>());
  return () => [...holds].some((busy) => busy());
}

/** For whatever is in it, if it is in one. */
export function holdOpen(busy: Busy): void {
  const holds = getContext<SvelteSet<Busy> | undefined>(HELD);
  holds?.add(busy);
  onDestroy(() => holds?.delete(busy));
}
