import { strToU8, zipSync } from 'fflate';

type Point = [number, number, number];

const SIDES = 48;

/** Radius and height in millimetres; closed. */
type Profile = [number, number][];

/** The triangles of a body turned about its axis. */
function turned(profile: Profile): Point[][] {
  const at = ([radius, height]: [number, number], side: number): Point => {
    const angle = (side * 2 * Math.PI) / SIDES;
    return [radius * Math.cos(angle), radius * Math.sin(angle), height];
  };
  const triangles: Point[][] = [];
  for (const [index, start] of profile.entries()) {
    const end = profile[(index + 1) % profile.length] ?? start;
    for (let side = 0; side < SIDES; side++)
      triangles.push(
        [at(start, side), at(start, side + 1), at(end, side + 1)],
        [at(start, side), at(end, side + 1), at(end, side)],
      );
  }
  // A corner on the axis makes a triangle without an area.
  return triangles.filter((corners) => new Set(corners.map(String)).size === 3);
}

/** A body turned about its axis, as an STL. */
export async function drawTurned(profile: Profile): Promise<Uint8Array> {
  const facets = turned(profile).flatMap((corners) => [
    'facet normal 0 0 0',
    'outer loop',
    ...corners.map((corner) => `vertex ${corner.map((value) => value.toFixed(4)).join(' ')}`),
    'endloop',
    'endfacet',
  ]);
  return Buffer.from(['solid demo', ...facets, 'endsolid demo', ''].join('\n'));
}

/** Turned bodies on one axis, each of a material of its own, as a 3MF. */
export function drawBodies(bodies: { colour: string; profile: Profile }[]): Uint8Array {
  const objects = bodies.map(({ profile }, index) => {
    const triangles = turned(profile);
    const vertices = triangles
      .flat()
      .map((corner) => corner.map((value) => value.toFixed(4)))
      .map(([x, y, z]) => `<vertex x="${x}" y="${y}" z="${z}"/>`);
    const faces = triangles.map(
      (_, at) => `<triangle v1="${3 * at}" v2="${3 * at + 1}" v3="${3 * at + 2}"/>`,
    );
    return `<object id="${index + 2}" pid="1" pindex="${index}"><mesh><vertices>${vertices.join('')}</vertices><triangles>${faces.join('')}</triangles></mesh></object>`;
  });
  const materials = bodies.map(({ colour }) => `<base name="${colour}" displaycolor="${colour}"/>`).join('');
  const items = bodies.map((_, index) => `<item objectid="${index + 2}"/>`).join('');
  const model = `<model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources><basematerials id="1">${materials}</basematerials>${objects.join('')}</resources><build>${items}</build></model>`;
  const relations =
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="model" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel" Target="/3D/3dmodel.model"/></Relationships>';
  return zipSync(
    { '_rels/.rels': strToU8(relations), '3D/3dmodel.model': strToU8(model) },
    { mtime: '1980-01-01' },
  );
}

/** A flat pattern at full size, as an SVG. @param outline in millimetres */
export async function drawPattern(width: number, height: number, outline: string): Promise<Uint8Array> {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}"><path d="${outline}" fill="none" stroke="#12333a" stroke-width="0.6"/></svg>`,
  );
}
