// A session ends by itself when nobody works. While somebody does, the server is told now and then, even where the cards
// arrive by themselves and no command is given.

const EVERY_MS = 4 * 60_000;
const SIGNS = ['keydown', 'pointerdown'] as const;

export function keepAlive(tell: () => unknown): () => void {
  let worked = false;
  const sign = (): void => {
    worked = true;
  };
  const timer = setInterval(() => {
    if (worked) tell();
    worked = false;
  }, EVERY_MS);
  for (const one of SIGNS) addEventListener(one, sign, { capture: true, passive: true });
  return () => {
    clearInterval(timer);
    for (const one of SIGNS) removeEventListener(one, sign, { capture: true });
  };
}
