type Group = [number, string | number];

const polyline = (layer: string, corners: [number, number, number][]): Group[] => [
  [0, 'LWPOLYLINE'],
  [8, layer],
  [90, corners.length],
  [70, 1],
  ...corners.flatMap(([x, y, bulge]): Group[] => [
    [10, x],
    [20, y],
    [42, bulge],
  ]),
];
const place = (block: string, x: number, y: number): Group[] => [
  [0, 'INSERT'],
  [8, 'HOLES'],
  [2, block],
  [10, x],
  [20, y],
];

/** The blade of a swim fin at full size: a curved outline with a slot for the hinge, and bolt holes as placed blocks. */
export function drawPatternDxf(): Uint8Array {
  const knots = [0, 0, 0, 0, 1, 1, 1, 1];
  const edge = (points: [number, number][]): Group[] => [
    [0, 'SPLINE'],
    [8, 'OUTLINE'],
    [70, 8],
    [71, 3],
    [72, knots.length],
    [73, points.length],
    [74, 0],
    ...knots.map((knot): Group => [40, knot]),
    ...points.flatMap(([x, y]): Group[] => [
      [10, x],
      [20, y],
      [30, 0],
    ]),
  ];
  const groups: Group[] = [
    [0, 'SECTION'],
    [2, 'HEADER'],
    [9, '$INSUNITS'],
    [70, 4],
    [0, 'ENDSEC'],
    [0, 'SECTION'],
    [2, 'BLOCKS'],
    [0, 'BLOCK'],
    [2, 'M5'],
    [10, 0],
    [20, 0],
    [0, 'CIRCLE'],
    [8, '0'],
    [10, 0],
    [20, 0],
    [40, 2.65],
    [0, 'ENDBLK'],
    [0, 'ENDSEC'],
    [0, 'SECTION'],
    [2, 'ENTITIES'],
    // From the clip out to the tip, across the tip, and back.
    ...edge([
      [-45, 0],
      [-45, 90],
      [-80, 130],
      [-72, 212],
    ]),
    ...edge([
      [-72, 212],
      [-38, 232],
      [38, 204],
      [72, 218],
    ]),
    ...edge([
      [72, 218],
      [80, 130],
      [45, 90],
      [45, 0],
    ]),
    [0, 'LINE'],
    [8, 'OUTLINE'],
    [10, 45],
    [20, 0],
    [11, -45],
    [21, 0],
    ...polyline('SLOT', [
      [-20, 66, 0],
      [20, 66, 1],
      [20, 78, 0],
      [-20, 78, 1],
    ]),
    ...[-28, 28].flatMap((x) => [18, 44].flatMap((y) => place('M5', x, y))),
    [0, 'TEXT'],
    [8, 'NOTES'],
    [10, -38],
    [20, 100],
    [40, 8],
    [1, 'Third fin, cut one'],
    [0, 'ENDSEC'],
    [0, 'EOF'],
  ];
  return Buffer.from(groups.map(([code, value]) => `${code}\n${value}\n`).join(''));
}
