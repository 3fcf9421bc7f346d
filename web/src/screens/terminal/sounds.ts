// A few quiet tones of our own, made when they are needed: no files, and none until the player asks for sound.

type Note = readonly [hertz: number, startS: number, lengthS: number];

const TONES = {
  chip: [[880, 0, 0.05]],
  card: [[320, 0, 0.06]],
  open: [
    [523, 0, 0.12],
    [659, 0.12, 0.16],
  ],
  closed: [[392, 0, 0.22]],
  refused: [[220, 0, 0.18]],
  win: [
    [523, 0, 0.14],
    [659, 0.13, 0.14],
    [784, 0.26, 0.3],
  ],
} as const satisfies Record<string, readonly Note[]>;

export type Tone = keyof typeof TONES;

export class Sounds {
  #context: AudioContext | null = null;

  constructor(readonly isOn: () => boolean) {}

  play(tone: Tone): void {
    if (!this.isOn() || typeof AudioContext === 'undefined') return;
    this.#context ??= new AudioContext();
    void this.#context.resume();
    for (const note of TONES[tone]) this.#note(this.#context, note);
  }

  #note(context: AudioContext, [hertz, startS, lengthS]: Note): void {
    const start = context.currentTime + startS;
    const tone = new OscillatorNode(context, { type: 'sine', frequency: hertz });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.12, start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.001, start + lengthS);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + lengthS);
  }
}
