/** A covered part of a picture, in hundredths of its width and height. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const MIN_BOX_SIZE = 2;
const clampBox = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

/** The box between two corners, inside the picture and never too small to see. */
export function boxBetween(from: { x: number; y: number }, to: { x: number; y: number }): Box {
  const [left, right] = [from.x, to.x].map((x) => clampBox(x, 0, 100)).sort((a, b) => a - b);
  const [top, bottom] = [from.y, to.y].map((y) => clampBox(y, 0, 100)).sort((a, b) => a - b);
  const width = Math.max((right ?? 0) - (left ?? 0), MIN_BOX_SIZE);
  const height = Math.max((bottom ?? 0) - (top ?? 0), MIN_BOX_SIZE);
  return {
    x: clampBox(left ?? 0, 0, 100 - width),
    y: clampBox(top ?? 0, 0, 100 - height),
    width,
    height,
  };
}

export const corners = ['nw', 'ne', 'sw', 'se'] as const;
export type Corner = (typeof corners)[number];

/** The box after a pointer has dragged it, or one of its corners, from one point to another. */
export function dragBox(
  box: Box,
  from: { x: number; y: number },
  to: { x: number; y: number },
  corner?: Corner,
): Box {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  if (!corner)
    return {
      ...box,
      x: clampBox(box.x + dx, 0, 100 - box.width),
      y: clampBox(box.y + dy, 0, 100 - box.height),
    };
  const [left, top] = [corner.endsWith('w'), corner.startsWith('n')];
  const moved = { x: box.x + (left ? 0 : box.width) + dx, y: box.y + (top ? 0 : box.height) + dy };
  return boxBetween({ x: box.x + (left ? box.width : 0), y: box.y + (top ? box.height : 0) }, moved);
}

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The box after an arrow key: moved, or with Shift made larger or smaller; null for another key. */
export function moveBoxByKey(box: Box, key: string, resize: boolean): Box | null {
  const step = arrows[key];
  if (!step) return null;
  const [x, y] = step;
  return resize
    ? {
        ...box,
        width: clampBox(box.width + x * 2, MIN_BOX_SIZE, 100 - box.x),
        height: clampBox(box.height + y * 2, MIN_BOX_SIZE, 100 - box.y),
      }
    : {
        ...box,
        x: clampBox(box.x + x * 2, 0, 100 - box.width),
        y: clampBox(box.y + y * 2, 0, 100 - box.height),
      };
}

/** Paints the boxes over the picture irreversibly: the pixels below are overwritten. */
export function drawMasks(canvas: HTMLCanvasElement, boxes: readonly Box[]): void {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('Your browser can’t edit images.');
  context.fillStyle = '#000';
  for (const { x, y, width, height } of boxes) {
    const [left, top] = [Math.floor((x * canvas.width) / 100), Math.floor((y * canvas.height) / 100)];
    const right = Math.ceil(((x + width) * canvas.width) / 100);
    const bottom = Math.ceil(((y + height) * canvas.height) / 100);
    context.fillRect(left, top, right - left, bottom - top);
  }
}
