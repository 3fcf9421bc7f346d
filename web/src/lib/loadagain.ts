// A page that is left open while the server is upgraded may ask for a part of itself that is there no more: then the whole
// page is loaded again, as soon as the server answers. A dialog that a player waits for must come.

const KEPT = 'natural9-loaded-again';
const NOT_SOONER_MS = 60_000; // than that after the last time: what is missing then, is missing on the server
const LOOK_MS = 1_000;

export function loadAgainOnceUpgraded(): void {
  let waits = false;
  addEventListener('vite:preloadError', () => {
    if (waits || Date.now() - lastTime() < NOT_SOONER_MS) return;
    waits = true;
    void answers().then(() => {
      sessionStorage.setItem(KEPT, String(Date.now()));
      location.reload();
    });
  });
}

function lastTime(): number {
  try {
    return Number(sessionStorage.getItem(KEPT) ?? 0);
  } catch {
    return Date.now(); // who keeps nothing would load it again and again
  }
}

/** A browser that loads a page from a server that is away shows a page of its own, and stays there. */
async function answers(): Promise<void> {
  for (;;) {
    const found = await fetch('/healthz', { cache: 'no-store' }).catch(() => null);
    if (found?.ok) return;
    await new Promise((after) => setTimeout(after, LOOK_MS));
  }
}
