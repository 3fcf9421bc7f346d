// A card that lies face down, lifted by one of its long edges and folded over: what of its back is left, and where the
// strip of its face lies that is seen. `pull` is how far the edge has been drawn across the card: 0 to 1 of its width.

export type Edge = 'left' | 'right';

export interface Fold {
  back: string; // clip-path of the back that is left
  face: string; // clip-path of the strip of the face
  moved: string; // transform of the face, so that its edge lies under the finger
  crease: string; // transform of the shade along the crease, on the face
  cast: string; // transform of the shade that the strip casts on the back
}

export const TURNS_AT = 0.9; // pulled so far, it turns over
export const KEY_STEP = 0.06;
const MOST = 0.96; // the fold stays on the card

export function heldBack(pull: number): number {
  return Math.min(MOST, Math.max(0, pull));
}

/** From its back the card's left edge is the right edge of its face: that strip comes to light first. */
export function foldOf(edge: Edge, pull: number): Fold {
  const lifted = percent(heldBack(pull) / 2); // so much of the card stands up or lies over
  const hidden = percent(1 - heldBack(pull) / 2);
  const rest = percent(1 - heldBack(pull));
  if (edge === 'left') {
    return {
      back: `inset(0 0 0 ${lifted})`,
      face: `inset(0 0 0 ${hidden})`,
      moved: `translateX(-${rest})`,
      crease: `translateX(${hidden})`,
      cast: `translateX(${percent(heldBack(pull))})`,
    };
  }
  return {
    back: `inset(0 ${lifted} 0 0)`,
    face: `inset(0 ${hidden} 0 0)`,
    moved: `translateX(${rest})`,
    crease: `translateX(-${hidden}) scaleX(-1)`,
    cast: `translateX(-${percent(heldBack(pull))}) scaleX(-1)`,
  };
}

function percent(part: number): string {
  return `${Math.round(part * 10_000) / 100}%`;
}

/** The edge that a finger takes, and how far it has drawn it: across the card, whichever way the card lies. */
export function takenBy(at: number): Edge {
  return at < 0.5 ? 'left' : 'right';
}

export function pullOf(edge: Edge, moved: number): number {
  return edge === 'left' ? moved : -moved;
}
