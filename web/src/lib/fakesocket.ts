// For tests: a WebSocket that a test opens, feeds and breaks.

import type { FromServer } from './protocol';

export class FakeSocket {
  static all: FakeSocket[] = [];
  static readonly OPEN = 1;
  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }

  readyState = 0;
  sent: { type: string; request?: string }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.readyState = 3;
  }

  opens(): this {
    this.readyState = 1;
    this.onopen?.();
    return this;
  }

  says(message: Partial<FromServer> & { type: FromServer['type'] }): this {
    this.onmessage?.({ data: JSON.stringify(message) });
    return this;
  }

  breaks(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  get bets(): string[] {
    return this.sent.filter((one) => one.type === 'bet').map((one) => one.request!);
  }
}
