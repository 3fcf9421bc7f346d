// What our small charts compute: a linear scale, round numbers for its ticks, and how they are written.

export interface Scale {
  (value: number): number;
  domain: readonly [number, number];
}

export function linear(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const width = domain[1] - domain[0] || 1;
  const place = (value: number): number => range[0] + ((value - domain[0]) / width) * (range[1] - range[0]);
  return Object.assign(place, { domain });
}

/** The least and the greatest, with zero among them, so that bars stand on something. */
export function extentWithZero(values: readonly number[]): [number, number] {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  return least === most ? [0, 1] : [least, most];
}

/** About so many ticks at 1, 2 or 5 times a power of ten, all within the domain. */
export function ticks(domain: readonly [number, number], about = 5): number[] {
  const width = domain[1] - domain[0];
  if (!(width > 0)) return [domain[0]];
  const rough = width / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough * (1 - 1e-9)) ?? power * 10;
  const first = Math.ceil(domain[0] / step - 1e-9);
  const last = Math.floor(domain[1] / step + 1e-9);
  // Counted in steps, because adding fractions up drifts.
  return Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)));
}

/** The domain widened to the ticks around it. */
export function nice(domain: readonly [number, number], about = 5): [number, number] {
  const width = domain[1] - domain[0];
  if (!(width > 0)) return [domain[0], domain[0] + 1];
  const inside = ticks(domain, about);
  const step = (inside[1] ?? domain[1]) - (inside[0] ?? domain[0]) || width;
  return [Math.floor(domain[0] / step + 1e-9) * step, Math.ceil(domain[1] / step - 1e-9) * step];
}

/** A label in at most two lines of so many characters. */
export function wrapped(label: string, characters: number): string[] {
  const lines: string[] = [];
  for (const word of label.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && (lines.length === 2 || `${last} ${word}`.length <= characters)) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => (line.length > characters ? `${line.slice(0, Math.max(1, characters - 1))}…` : line));
}

/** Money on an axis: 1.2K, 35K, 2M. */
export function shortMoney(cents: number): string {
  const units = Math.abs(cents) / 100;
  const sign = cents < 0 ? '−' : '';
  if (units >= 1_000_000) return `${sign}${trim(units / 1_000_000)}M`;
  if (units >= 1_000) return `${sign}${trim(units / 1_000)}K`;
  return `${sign}${trim(units)}`;
}

export function percent(part: number, digits = 2): string {
  return `${part < 0 ? '−' : ''}${Math.abs(part * 100).toFixed(digits)}%`;
}

function trim(value: number): string {
  return String(Number(value.toFixed(1)));
}
