// Seconds until a moment of the server's clock, drawn again only when the number changes.

export class Countdown {
  seconds = $state<number | null>(null);
  part = $state(1); // of the whole window, for a bar that runs out

  follow(closesAtMs: () => number | null, now: () => number): () => void {
    let whole = 0;
    let last: number | null = null;
    const tick = (): void => {
      const closes = closesAtMs();
      if (closes === null) {
        this.seconds = null;
        whole = 0;
      } else {
        const left = Math.max(0, closes - now());
        if (closes !== last) whole = left;
        this.seconds = Math.ceil(left / 1000);
        this.part = whole ? left / whole : 0;
      }
      last = closes;
    };
    tick();
    const timer = setInterval(tick, 200);
    return () => clearInterval(timer);
  }
}
