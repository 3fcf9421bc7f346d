import { expect, it } from 'vitest';
import { foldOf, heldBack, pullOf, takenBy } from './fold';

it('lies flat, all back and no face, until it is pulled', () => {
  for (const edge of ['left', 'right'] as const) {
    expect(foldOf(edge, 0).back).toBe('inset(0 0% 0 0)'.replace('0 0% 0 0', edge === 'left' ? '0 0 0 0%' : '0 0% 0 0'));
    expect(foldOf(edge, 0).face).toContain('100%');
  }
});

it('shows half of what the finger has gone, with the edge under the finger', () => {
  // The face lies on the right, moved left by what is not pulled: its right edge is at 0.4 of the width.
  expect(foldOf('left', 0.4)).toEqual({
    back: 'inset(0 0 0 20%)',
    face: 'inset(0 0 0 80%)',
    moved: 'translateX(-60%)',
    crease: 'translateX(80%)',
    cast: 'translateX(40%)',
  });
  expect(foldOf('right', 0.4)).toMatchObject({ back: 'inset(0 20% 0 0)', face: 'inset(0 80% 0 0)', moved: 'translateX(60%)' });
});

it('never shows the middle of the card, however far it is pulled: only turning it does', () => {
  expect(foldOf('left', 3)).toEqual(foldOf('left', 0.96));
  expect(heldBack(-1)).toBe(0);
});

it('is taken by the nearer edge, and goes back when the finger does', () => {
  expect([takenBy(0.1), takenBy(0.9)]).toEqual(['left', 'right']);
  expect([pullOf('left', 0.3), pullOf('left', -0.1), pullOf('right', -0.3)]).toEqual([0.3, -0.1, 0.3]);
});
