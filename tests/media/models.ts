import { strToU8, type Zippable, zipSync } from 'fflate';
import { SECRET } from './files.ts';

type Corner = [number, number, number];

const corners: Corner[] = Array.from({ length: 8 }, (_, index) => [index & 1, (index >> 1) & 1, index >> 2]);
/** The sides of a cube, outside first. */
const sides = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
];
const triangles = sides.flatMap(([a = 0, b = 0, c = 0, d = 0]) => [
  [a, b, c],
  [a, c, d],
]);
const place = (index: number, edge: number) => (corners[index] ?? [0, 0, 0]).map((value) => value * edge);

/** A cube, with `SECRET` in the header and in the unused bytes of each triangle. */
export function binaryCube(edge = 20): Buffer {
  const header = Buffer.alloc(84);
  header.write(SECRET);
  header.writeUInt32LE(triangles.length, 80);
  const body = triangles.map((triangle) => {
    const numbers = Float32Array.from([0, 0, 0, ...triangle.flatMap((index) => place(index, edge))]);
    return Buffer.concat([Buffer.from(numbers.buffer), Buffer.from('SE')]);
  });
  return Buffer.concat([header, ...body]);
}

export function textCube(edge: number | string = 20): string {
  const facets = triangles.map(
    (triangle) =>
      `facet normal 0 0 0\n outer loop\n${triangle.map((index) => `  vertex ${(corners[index] ?? []).map((value) => (value ? edge : 0)).join(' ')}`).join('\n')}\n endloop\nendfacet`,
  );
  return `solid ${SECRET}\n${facets.join('\n')}\nendsolid ${SECRET}\n`;
}

const CORE = 'http://schemas.microsoft.com/3dmanufacturing/core/2015/02';
export const cubeMesh = `<mesh><vertices>${corners
  .map((_, index) => {
    const [x, y, z] = place(index, 20);
    return `<vertex x="${x}" y="${y}" z="${z}"/>`;
  })
  .join(
    '',
  )}</vertices><triangles>${triangles.map(([a, b, c]) => `<triangle v1="${a}" v2="${b}" v3="${c}"/>`).join('')}</triangles></mesh>`;
export const cubeObject = `<object id="1" name="${SECRET}">${cubeMesh}</object>`;

export const model3mf = (
  resources = cubeObject,
  build = '<item objectid="1"/>',
  unit = 'millimeter',
  before = '',
) =>
  `<?xml version="1.0"?>${before}<model unit="${unit}" xmlns="${CORE}"><metadata name="Designer">${SECRET}</metadata><!--${SECRET}--><resources>${resources}</resources><build>${build}</build></model>`;

export const relations = (extra = '') =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel" Target="/3D/3dmodel.model"/>${extra}</Relationships>`;

/** As a slicer writes it: with a designer, a comment, a thumbnail and settings, and `SECRET` in each. */
export const cube3mf = (model = model3mf(), extra: Zippable = {}): Uint8Array =>
  zipSync({
    '_rels/.rels': strToU8(relations()),
    '3D/3dmodel.model': strToU8(model),
    'Metadata/thumbnail.png': strToU8(SECRET),
    'Metadata/settings.config': strToU8(SECRET),
    ...extra,
  });

export const svg = (
  content: string,
  attributes = 'width="100mm" height="50mm" viewBox="0 0 100 50"',
  before = '',
) =>
  `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}><rect x="5" y="5" width="90" height="40" fill="#246"/>${content}</svg>`;

export const dxf = (entities: (string | number)[], unit = 4) =>
  [
    999,
    SECRET,
    0,
    'SECTION',
    2,
    'HEADER',
    9,
    '$LASTSAVEDBY',
    1,
    SECRET,
    9,
    '$INSUNITS',
    70,
    unit,
    0,
    'ENDSEC',
    0,
    'SECTION',
    2,
    'ENTITIES',
    ...entities,
    0,
    'ENDSEC',
    0,
    'EOF',
    '',
  ].join('\n');
/** With what a program keeps beside it. The name of a layer would be kept, as it is a word of the drawing. */
export const dxfLine = [0, 'LINE', 8, 0, 10, 0, 20, 0, 11, 40, 21, 30, 1001, SECRET, 1000, SECRET];

/** A cube as a solid of planes and edges. */
export function stepCube(extra = '', header = SECRET): string {
  const lines: string[] = [];
  const add = (text: string) => `#${lines.push(text)}`;
  const point = (at: number[]) =>
    add(`CARTESIAN_POINT('${SECRET}',(${at.map((value) => value.toFixed(1)).join(',')}))`);
  const direction = (at: number[]) => add(`DIRECTION('',(${at.map((value) => value.toFixed(1)).join(',')}))`);
  const vertices = corners.map((_, index) => add(`VERTEX_POINT('',${point(place(index, 20))})`));
  const edges = new Map<string, string>();
  const edge = (from: number, to: number) => {
    const [a, b] = [Math.min(from, to), Math.max(from, to)];
    const key = `${a} ${b}`;
    let known = edges.get(key);
    if (!known) {
      const start = place(a, 20);
      const along = place(b, 1).map((value, axis) => value - (place(a, 1)[axis] ?? 0));
      const line = add(`LINE('',${point(start)},${add(`VECTOR('',${direction(along)},1.0)`)})`);
      known = add(`EDGE_CURVE('',${vertices[a]},${vertices[b]},${line},.T.)`);
      edges.set(key, known);
    }
    return add(`ORIENTED_EDGE('',*,*,${known},${from < to ? '.T.' : '.F.'})`);
  };
  const faces = sides.map((side) => {
    const [a = 0, b = 0, , d = 0] = side;
    const [p, q, r] = [place(a, 1), place(b, 1), place(d, 1)];
    const [u, v] = [
      q.map((value, axis) => value - (p[axis] ?? 0)),
      r.map((value, axis) => value - (p[axis] ?? 0)),
    ];
    const [ux = 0, uy = 0, uz = 0] = u;
    const [vx = 0, vy = 0, vz = 0] = v;
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const loop = add(
      `EDGE_LOOP('',(${side.map((from, index) => edge(from, side[(index + 1) % 4] ?? 0)).join(',')}))`,
    );
    const placement = add(
      `AXIS2_PLACEMENT_3D('',${point(place(a, 20))},${direction(normal)},${direction(u)})`,
    );
    return add(
      `ADVANCED_FACE('',(${add(`FACE_OUTER_BOUND('',${loop},.T.)`)}),${add(`PLANE('',${placement})`)},.T.)`,
    );
  });
  const solid = add(`MANIFOLD_SOLID_BREP('${SECRET}',${add(`CLOSED_SHELL('',(${faces.join(',')}))`)})`);
  const length = add('(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))');
  const angle = add('(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))');
  const round = add('(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())');
  const context = add(
    `(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNIT_ASSIGNED_CONTEXT((${length},${angle},${round}))REPRESENTATION_CONTEXT('',''))`,
  );
  const origin = add(
    `AXIS2_PLACEMENT_3D('',${point([0, 0, 0])},${direction([0, 0, 1])},${direction([1, 0, 0])})`,
  );
  const shape = add(`ADVANCED_BREP_SHAPE_REPRESENTATION('',(${origin},${solid}),${context})`);
  const application = add("APPLICATION_CONTEXT('core data for automotive mechanical design processes')");
  const product = add(
    `PRODUCT('${SECRET}','${SECRET}','',(${add(`PRODUCT_CONTEXT('',${application},'mechanical')`)}))`,
  );
  const definition = add(
    `PRODUCT_DEFINITION('design','',${add(`PRODUCT_DEFINITION_FORMATION('','',${product})`)},${add(`PRODUCT_DEFINITION_CONTEXT('part definition',${application},'design')`)})`,
  );
  add(`SHAPE_DEFINITION_REPRESENTATION(${add(`PRODUCT_DEFINITION_SHAPE('','',${definition})`)},${shape})`);
  add(`PERSON('${SECRET}','${SECRET}','${SECRET}',$,$,$)`);
  add(`ORGANIZATION('${SECRET}','O''Brien ${SECRET}','')`);
  if (extra) add(extra);
  const data = lines.map((line, index) => `#${index + 1}=${line};`).join('\n');
  return `ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('${header}'),'2;1');\nFILE_NAME('${header}','2026-01-01',('${header}'),('${header}'),'','','${header}');\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));\nENDSEC;\nDATA;\n/* ${SECRET} */\n${data}\nENDSEC;\nEND-ISO-10303-21;\n`;
}
