type Point = [number, number, number];

const SIDES = 48;

/** A body turned about its axis, as an STL. @param profile closed, as radius and height in millimetres */
export async function drawTurned(profile: [number, number][]): Promise<Uint8Array> {
  const at = ([radius, height]: [number, number], side: number): Point => {
    const angle = (side * 2 * Math.PI) / SIDES;
    return [radius * Math.cos(angle), radius * Math.sin(angle), height];
  };
  const lines = ['solid demo'];
  const triangle = (...corners: Point[]) => {
    // A corner on the axis makes a triangle without an area.
    if (new Set(corners.map(String)).size < 3) return;
    const vertices = corners.map((corner) => `vertex ${corner.map((value) => value.toFixed(4)).join(' ')}`);
    lines.push('facet normal 0 0 0', 'outer loop', ...vertices, 'endloop', 'endfacet');
  };
  for (const [index, start] of profile.entries()) {
    const end = profile[(index + 1) % profile.length] ?? start;
    for (let side = 0; side < SIDES; side++) {
      triangle(at(start, side), at(start, side + 1), at(end, side + 1));
      triangle(at(start, side), at(end, side + 1), at(end, side));
    }
  }
  return Buffer.from([...lines, 'endsolid demo', ''].join('\n'));
}

/** A flat pattern at full size, as an SVG. @param outline in millimetres */
export async function drawPattern(width: number, height: number, outline: string): Promise<Uint8Array> {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}"><path d="${outline}" fill="none" stroke="#12333a" stroke-width="0.6"/></svg>`,
  );
}
