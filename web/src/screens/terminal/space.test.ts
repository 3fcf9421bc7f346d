import { describe, expect, it } from 'vitest';
import { planFor, printPx, type Space } from './space';

const at = (width: number, height: number, more: Partial<Space> = {}): Space => ({ width, height, rem: 16, sides: 5, insured: false, view: 'spots', ...more });
const sum = (tracks: string): number => tracks.split(' ').reduce((all, track) => all + parseFloat(track), 0);

describe('where the parts of the terminal stand', () => {
  it('prints larger on a larger screen, whichever way it stands, and never too small', () => {
    expect(printPx(1920, 1080, false)).toBe(printPx(1080, 1920, false));
    expect(printPx(3840, 2160, false)).toBeGreaterThan(1.9 * printPx(1920, 1080, false));
    expect(printPx(320, 240, false)).toBe(15);
    expect(printPx(320, 240, true)).toBeGreaterThan(17);
  });

  it('has the pay table beside it only where there is room', () => {
    expect(planFor(at(1800, 850))).toMatchObject({ shape: 'beside', pays: true, tallies: true });
    expect(planFor(at(1000, 600))).toMatchObject({ shape: 'beside', pays: false });
  });

  it('stands one under the other in a tall window, beside each other in a low one', () => {
    expect(planFor(at(1040, 1600)).areas).toBe('"cards" "roads" "spots"');
    expect(planFor(at(830, 290, { rem: 15 }))).toMatchObject({ shape: 'split', areas: '"cards spots" "roads spots"' });
  });

  it('is longer than a window that is too small for all of it', () => {
    expect(planFor(at(344, 300))).toMatchObject({ shape: 'long', stacked: false });
    expect(planFor(at(170, 100))).toMatchObject({ shape: 'long', stacked: true });
  });

  it('gives no more than there is, in every window', () => {
    for (let width = 160; width < 4000; width += 97) {
      for (let height = 100; height < 2200; height += 83) {
        for (const view of ['spots', 'roads', 'boxes'] as const) {
          const plan = planFor(at(width, height, { view, rem: printPx(width, height, false) }));
          const gap = 0.7 * printPx(width, height, false);
          const columns = plan.columns.split(' ');
          expect(sum(plan.columns) + (columns.length - 1) * gap, `${width}x${height}`).toBeLessThanOrEqual(width + 1);
          if (plan.shape === 'long') continue;
          const rows = plan.rows.split(' ');
          expect(sum(plan.rows) + (rows.length - 1) * gap, `${width}x${height} ${plan.shape}`).toBeLessThanOrEqual(height + 1);
          expect(Math.min(...rows.map(parseFloat)), `${width}x${height} ${plan.rows}`).toBeGreaterThan(80);
        }
      }
    }
  });

  it('exchanges the sizes of roads and spots, and keeps both', () => {
    for (const [width, height] of [[1800, 850], [830, 340], [1040, 1600]] as const) {
      const [spots, roads] = (['spots', 'roads'] as const).map((view) => planFor(at(width, height, { view })));
      for (const plan of [spots!, roads!]) expect(plan.areas).toMatch(/roads[^]*spots|spots[^]*roads/);
      expect([spots!.columns, spots!.rows, spots!.areas]).not.toEqual([roads!.columns, roads!.rows, roads!.areas]);
    }
  });
});
