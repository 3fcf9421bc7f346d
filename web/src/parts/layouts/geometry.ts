// Where the boxes of a table lie. The drawing is 1200 wide and 640 high; the dealer stands at the top, and the boxes
// follow the rail, as far apart as each other. Bean tables have a notch for the dealer, mini tables a straight edge.

export const WIDTH = 1200;
export const HEIGHT = 640;

export type Shape = 'bean' | 'mini';

export interface BoxPlace {
  box: number; // from 1, as the dealer deals: from the right of the dealer, which is our left
  x: number;
  y: number;
  turn: number; // degrees; 0 faces straight down
}

export interface Plan {
  shape: Shape;
  outline: string;
  places: BoxPlace[];
  width: number; // of one box
  height: number;
}

const OUTLINES: Record<Shape, string> = {
  bean:
    'M 300 24 C 400 24 440 92 600 92 C 760 92 800 24 900 24 C 1100 24 1190 170 1184 320 ' +
    'C 1172 520 900 632 600 632 C 300 632 28 520 16 320 C 10 170 100 24 300 24 Z',
  mini:
    'M 110 24 H 1090 C 1150 24 1184 70 1182 150 C 1172 440 900 632 600 632 ' +
    'C 300 632 28 440 18 150 C 16 70 50 24 110 24 Z',
};
const CENTRE = { x: 600, y: 170 };
const REACH: Record<Shape, { rx: number; ry: number; sweep: number }> = {
  bean: { rx: 448, ry: 346, sweep: 88 },
  mini: { rx: 452, ry: 346, sweep: 76 },
};
const BOX_HEIGHT = 172;

/** A layout by its id, "bean-9" or "mini-5"; anything unknown with boxes is drawn as a mini table. */
export function planFor(layout: string, boxes: number): Plan {
  const shape: Shape = layout.startsWith('bean') ? 'bean' : 'mini';
  const places = along(shape, boxes);
  return { shape, outline: OUTLINES[shape], places, width: widest(places), height: BOX_HEIGHT };
}

function along(shape: Shape, boxes: number): BoxPlace[] {
  const { rx, ry, sweep } = REACH[shape];
  const point = (degrees: number): { x: number; y: number } => ({
    x: CENTRE.x + rx * Math.sin((degrees * Math.PI) / 180),
    y: CENTRE.y + ry * Math.cos((degrees * Math.PI) / 180),
  });
  // Equal steps along the rail, not in angle: the curve is summed up in small pieces.
  const pieces = 720;
  const lengths = [0];
  const angle = (piece: number): number => -sweep + (2 * sweep * piece) / pieces;
  for (let piece = 1; piece <= pieces; piece += 1) {
    const [a, b] = [point(angle(piece - 1)), point(angle(piece))];
    lengths.push((lengths[piece - 1] ?? 0) + Math.hypot(b.x - a.x, b.y - a.y));
  }
  const whole = lengths[pieces] ?? 0;
  return Array.from({ length: boxes }, (_, index) => {
    const part = boxes === 1 ? 0.5 : index / (boxes - 1);
    const next = Math.max(1, lengths.findIndex((length) => length >= part * whole - 1e-9));
    const [before, after] = [lengths[next - 1] ?? 0, lengths[next] ?? 0];
    const degrees = angle(next - 1 + (part * whole - before) / (after - before));
    const radians = (degrees * Math.PI) / 180;
    // The box faces the rail: along the ellipse's normal, not towards its centre.
    const normal = Math.atan2(Math.sin(radians) / rx, Math.cos(radians) / ry);
    return { box: index + 1, ...point(degrees), turn: (-normal * 180) / Math.PI };
  });
}

// The width at which the inner edges of neighbours, which lie closest, still leave a gap.
function widest(places: readonly BoxPlace[]): number {
  let width = 170;
  for (let index = 1; index < places.length; index += 1) {
    const [a, b] = [places[index - 1]!, places[index]!];
    while (width > 40 && overlap(a, b, width + 8)) width -= 1;
  }
  return width;
}

export function corners(place: BoxPlace, width: number, height = BOX_HEIGHT): [number, number][] {
  const turn = (place.turn * Math.PI) / 180;
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([sideways, down]) => {
    const [dx, dy] = [(sideways! * width) / 2, (down! * height) / 2];
    return [place.x + dx * Math.cos(turn) - dy * Math.sin(turn), place.y + dx * Math.sin(turn) + dy * Math.cos(turn)];
  });
}

/** Whether two boxes cover each other: no straight line has one on each side. */
export function overlap(a: BoxPlace, b: BoxPlace, width: number): boolean {
  const [one, other] = [corners(a, width), corners(b, width)];
  return [a, b].every((place) =>
    [place.turn, place.turn + 90].every((degrees) => {
      const [ax, ay] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
      const shadow = (points: [number, number][]): number[] => points.map(([x, y]) => x * ax + y * ay);
      const [first, second] = [shadow(one), shadow(other)];
      return Math.max(...first) > Math.min(...second) && Math.max(...second) > Math.min(...first);
    }),
  );
}

export interface Spot {
  wager: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The betting areas of one box (rws-nc-insurance 2.1.3), from its own middle; the player sits below. */
export function spots(width: number, height: number): Spot[] {
  const third = width / 3;
  const [left, top] = [-width / 2, -height / 2];
  const side = height * 0.27;
  const main = (height - side) * 0.4;
  const insured = width * 0.26;
  const rows: [string, number][] = [
    ['banker', top + side],
    ['player', top + side + main],
  ];
  return [
    ...['player-pair', 'tie', 'banker-pair'].map((wager, place) => ({
      wager,
      x: left + place * third,
      y: top,
      width: third,
      height: side,
    })),
    ...rows.flatMap(([wager, y]) => [
      { wager, x: left, y, width: width - insured, height: main },
      { wager: `${wager}-insurance`, x: left + width - insured, y, width: insured, height: main },
    ]),
  ];
}
