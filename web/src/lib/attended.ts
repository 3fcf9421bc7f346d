// Asking again and again keeps a session alive. So we only do it while somebody is at the screen: one that is left
// alone is signed out by the server as it should be.

const ATTENDED_MS = 5 * 60_000;
const SIGNS = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const;

let touched = Date.now();
for (const sign of SIGNS) addEventListener(sign, () => (touched = Date.now()), { capture: true, passive: true });

export function attended(): boolean {
  return !document.hidden && Date.now() - touched < ATTENDED_MS;
}

/** Now, and then every so many milliseconds while somebody is there. Returns how to stop. */
export function askEvery(ms: number, ask: () => unknown): () => void {
  ask();
  const timer = setInterval(() => {
    if (attended()) ask();
  }, ms);
  const back = (): void => {
    if (!document.hidden) ask();
  };
  document.addEventListener('visibilitychange', back);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', back);
  };
}

/** What to call whenever something has changed: it is asked then, but no oftener than this. `stop` ends it. */
export function askAtMost(ms: number, ask: () => unknown): { changed: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  const go = (): void => {
    again = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (again) go();
    }, ms);
    ask();
  };
  return {
    changed: () => {
      if (timer) again = true;
      else go();
    },
    stop: () => clearTimeout(timer),
  };
}
