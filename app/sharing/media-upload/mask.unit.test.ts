import { describe, expect, it } from 'vitest';
import { fitWithin } from './downscale-image.ts';
import { boxBetween, dragBox, moveBoxByKey } from './mask.ts';

describe('a box over a picture', () => {
  it('is drawn from any corner and stays inside', () => {
    expect(boxBetween({ x: 60, y: 70 }, { x: 20, y: 30 })).toEqual({ x: 20, y: 30, width: 40, height: 40 });
    expect(boxBetween({ x: 90, y: 90 }, { x: 130, y: 120 })).toEqual({ x: 90, y: 90, width: 10, height: 10 });
    expect(boxBetween({ x: 100, y: 0 }, { x: 100, y: 0 })).toEqual({ x: 98, y: 0, width: 2, height: 2 });
  });

  it('is dragged as a whole or by a corner, whose opposite stays, and never leaves the picture', () => {
    const box = { x: 20, y: 20, width: 20, height: 10 };
    const from = { x: 25, y: 25 };
    expect(dragBox(box, from, { x: 35, y: 20 })).toEqual({ ...box, x: 30, y: 15 });
    expect(dragBox(box, from, { x: 200, y: -50 })).toEqual({ ...box, x: 80, y: 0 });
    expect(dragBox(box, { x: 40, y: 30 }, { x: 50, y: 35 }, 'se')).toEqual({ ...box, width: 30, height: 15 });
    expect(dragBox(box, { x: 20, y: 20 }, { x: 10, y: 15 }, 'nw')).toEqual({
      x: 10,
      y: 15,
      width: 30,
      height: 15,
    });
    // Dragged beyond the opposite corner it turns over.
    expect(dragBox(box, { x: 20, y: 30 }, { x: 60, y: 10 }, 'sw')).toEqual({
      x: 40,
      y: 10,
      width: 20,
      height: 10,
    });
  });

  it('moves with the arrows and grows with Shift, up to the edge', () => {
    const box = { x: 79, y: 0, width: 20, height: 20 };
    expect(moveBoxByKey(box, 'ArrowRight', false)).toEqual({ ...box, x: 80 });
    expect(moveBoxByKey(box, 'ArrowUp', false)).toEqual(box);
    expect(moveBoxByKey(box, 'ArrowDown', true)).toEqual({ ...box, height: 22 });
    expect(moveBoxByKey({ ...box, width: 2 }, 'ArrowLeft', true)).toEqual({ ...box, width: 2 });
    expect(moveBoxByKey(box, 'Enter', false)).toBeNull();
  });
});

it('a picture is made to fit and never made larger', () => {
  expect(fitWithin(4000, 3000)).toEqual({ width: 2560, height: 1920 });
  expect(fitWithin(3000, 4000)).toEqual({ width: 1920, height: 2560 });
  expect(fitWithin(800, 600)).toEqual({ width: 800, height: 600 });
});
