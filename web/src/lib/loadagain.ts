// A page that found no server at its start, or asks for a part of itself that an upgrade has taken away, is loaded again as a
// whole, as soon as the server answers. A dialog that a player waits for must come.

const KEPT = 'natural9-loaded-again';
const NOT_OFTENER_MS = 60_000; // what is still missing then, is missing on the server
const LOOK_MS = 1_000;

export function loadAgainOnceUpgraded(): void {
  let waits = false;
  addEventListener('vite:preloadError', () => {
    if (waits) return;
    waits = true;
    void pause(lastTime() + NOT_OFTENER_MS - Date.now()).then(loadAgain);
  });
}

/** Once the server answers: a browser that loads a page from one that is away shows a page of its own, and stays there. */
export async function loadAgain(): Promise<void> {
  while (!(await fetch('/healthz', { cache: 'no-store' }).catch(() => null))?.ok) await pause(LOOK_MS);
  try {
    sessionStorage.setItem(KEPT, String(Date.now()));
  } catch {
    await pause(NOT_OFTENER_MS); // a browser that keeps nothing does not know how often it does
  }
  location.reload();
}

function lastTime(): number {
  try {
    return Number(sessionStorage.getItem(KEPT) ?? 0);
  } catch {
    return 0;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((after) => setTimeout(after, Math.max(0, ms)));
}
