import { SECRET } from './files.ts';

type Point = [number, number, number];
type Unit = 'millimetre' | 'inch' | 'metre';

/** A STEP file that is written entity by entity; each text of its author is `SECRET`. */
class StepWriter {
  readonly lines: string[] = [];
  readonly #units: string;
  readonly #application: string;

  constructor(unit: Unit) {
    this.#application = this.add(
      "APPLICATION_CONTEXT('core data for automotive mechanical design processes')",
    );
    const millimetre = this.add('(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))');
    const length =
      unit === 'millimetre'
        ? millimetre
        : unit === 'metre'
          ? this.add('(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT($,.METRE.))')
          : this.#inch(millimetre);
    const angle = this.add('(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))');
    const solid = this.add('(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())');
    this.#units = this.add(
      `(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNIT_ASSIGNED_CONTEXT((${length},${angle},${solid}))REPRESENTATION_CONTEXT('${SECRET}','3D'))`,
    );
  }

  #inch(millimetre: string): string {
    const exponents = this.add('DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.)');
    const measure = this.add(`LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),${millimetre})`);
    return this.add(`(CONVERSION_BASED_UNIT('INCH',${measure})LENGTH_UNIT()NAMED_UNIT(${exponents}))`);
  }

  add(text: string): string {
    return `#${this.lines.push(text)}`;
  }
  point = (at: Point) => this.add(`CARTESIAN_POINT('${SECRET}',(${at.map(real).join(',')}))`);
  direction = (at: Point) => this.add(`DIRECTION('',(${at.map(real).join(',')}))`);
  placement = (at: Point, z: Point = [0, 0, 1], x: Point = [1, 0, 0]) =>
    this.add(`AXIS2_PLACEMENT_3D('',${this.point(at)},${this.direction(z)},${this.direction(x)})`);
  vertex = (at: Point) => this.add(`VERTEX_POINT('',${this.point(at)})`);
  line(from: Point, to: Point): string {
    const along = to.map((value, axis) => value - (from[axis] ?? 0)) as Point;
    return this.add(`LINE('',${this.point(from)},${this.add(`VECTOR('',${this.direction(along)},1.)`)})`);
  }
  edge = (from: string, to: string, curve: string) => this.add(`EDGE_CURVE('',${from},${to},${curve},.T.)`);
  oriented = (edge: string, isForward: boolean) =>
    this.add(`ORIENTED_EDGE('',*,*,${edge},${isForward ? '.T.' : '.F.'})`);
  face(surface: string, edges: string[], isForward = true): string {
    const bound = this.add(`FACE_OUTER_BOUND('',${this.add(`EDGE_LOOP('',(${edges.join(',')}))`)},.T.)`);
    return this.add(`ADVANCED_FACE('',(${bound}),${surface},${isForward ? '.T.' : '.F.'})`);
  }
  /** A face over a whole closed surface. */
  wholeFace(surface: string, on: Point): string {
    const bound = this.add(`FACE_BOUND('',${this.add(`VERTEX_LOOP('',${this.vertex(on)})`)},.T.)`);
    return this.add(`ADVANCED_FACE('',(${bound}),${surface},.T.)`);
  }
  solid = (faces: string[]) =>
    this.add(`MANIFOLD_SOLID_BREP('${SECRET}',${this.add(`CLOSED_SHELL('',(${faces.join(',')}))`)})`);

  /** A product with this shape, with its own placement first. */
  product(items: string[], kind = 'ADVANCED_BREP_SHAPE_REPRESENTATION') {
    const origin = this.placement([0, 0, 0]);
    const shape = this.add(`${kind}('${SECRET}',(${[origin, ...items].join(',')}),${this.#units})`);
    const context = this.add(`PRODUCT_CONTEXT('',${this.#application},'mechanical')`);
    const product = this.add(`PRODUCT('${SECRET}','${SECRET}','${SECRET}',(${context}))`);
    const formation = this.add(`PRODUCT_DEFINITION_FORMATION('${SECRET}','${SECRET}',${product})`);
    const design = this.add(`PRODUCT_DEFINITION_CONTEXT('part definition',${this.#application},'design')`);
    const definition = this.add(`PRODUCT_DEFINITION('${SECRET}','${SECRET}',${formation},${design})`);
    const defined = this.add(`PRODUCT_DEFINITION_SHAPE('${SECRET}','${SECRET}',${definition})`);
    this.add(`SHAPE_DEFINITION_REPRESENTATION(${defined},${shape})`);
    return { origin, shape, definition };
  }

  /** Builds one product into another at a place. */
  place(inner: Product, outer: Product, at: string): void {
    const use = this.add(
      `NEXT_ASSEMBLY_USAGE_OCCURRENCE('${SECRET}','${SECRET}','${SECRET}',${outer.definition},${inner.definition},$)`,
    );
    const move = this.add(`ITEM_DEFINED_TRANSFORMATION('','',${inner.origin},${at})`);
    const relation = this.add(
      `(REPRESENTATION_RELATIONSHIP('','',${inner.shape},${outer.shape})REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(${move})SHAPE_REPRESENTATION_RELATIONSHIP())`,
    );
    const defined = this.add(`PRODUCT_DEFINITION_SHAPE('${SECRET}','${SECRET}',${use})`);
    this.add(`CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(${relation},${defined})`);
  }

  file(): string {
    const person = this.add(`PERSON('${SECRET}','${SECRET}','${SECRET}',$,$,$)`);
    const organisation = this.add(`ORGANIZATION('${SECRET}','${SECRET}','${SECRET}')`);
    this.add(`PERSON_AND_ORGANIZATION(${person},${organisation})`);
    const data = this.lines.map((line, index) => `#${index + 1}=${line};`).join('\n');
    return `ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('${SECRET}'),'2;1');\nFILE_NAME('C:\\\\${SECRET}.step','2026-01-01',('${SECRET}'),('${SECRET}'),'${SECRET}','${SECRET}','${SECRET}');\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));\nENDSEC;\nDATA;\n${data}\nENDSEC;\nEND-ISO-10303-21;\n`;
  }
}

type Product = ReturnType<StepWriter['product']>;

/** With the point that the format asks for. */
const real = (value: number) => (Number.isInteger(value) ? `${value}.` : String(value));

function cylinderSolid(step: StepWriter, radius: number, height: number): string {
  const [low, high]: [Point, Point] = [
    [radius, 0, 0],
    [radius, 0, height],
  ];
  const [start, end] = [step.vertex(low), step.vertex(high)];
  const circle = (at: Point) => step.add(`CIRCLE('',${step.placement(at)},${real(radius)})`);
  const bottom = step.edge(start, start, circle([0, 0, 0]));
  const top = step.edge(end, end, circle([0, 0, height]));
  const seam = step.edge(start, end, step.line(low, high));
  const side = step.add(`CYLINDRICAL_SURFACE('',${step.placement([0, 0, 0])},${real(radius)})`);
  const plane = (at: Point, normal: Point) => step.add(`PLANE('',${step.placement(at, normal)})`);
  return step.solid([
    step.face(side, [
      step.oriented(bottom, true),
      step.oriented(seam, true),
      step.oriented(top, false),
      step.oriented(seam, false),
    ]),
    step.face(plane([0, 0, 0], [0, 0, -1]), [step.oriented(bottom, false)]),
    step.face(plane([0, 0, height], [0, 0, 1]), [step.oriented(top, true)]),
  ]);
}

export function stepCylinder(radius: number, height: number, unit: Unit = 'millimetre'): string {
  const step = new StepWriter(unit);
  step.product([cylinderSolid(step, radius, height)]);
  return step.file();
}

export function stepSphere(radius: number): string {
  const step = new StepWriter('millimetre');
  const surface = step.add(`SPHERICAL_SURFACE('',${step.placement([0, 0, 0])},${real(radius)})`);
  step.product([step.solid([step.wholeFace(surface, [0, 0, radius])])]);
  return step.file();
}

export function stepTorus(radius: number, thickness: number): string {
  const step = new StepWriter('millimetre');
  const surface = step.add(
    `TOROIDAL_SURFACE('',${step.placement([0, 0, 0])},${real(radius)},${real(thickness)})`,
  );
  step.product([step.solid([step.wholeFace(surface, [radius + thickness, 0, 0])])]);
  return step.file();
}

/** A sheet of 40 by 30 whose middle is drawn up by 10: a B-spline surface with straight edges. */
export function stepDome(): string {
  const step = new StepWriter('millimetre');
  const rows = [0, 20, 40].map((x) =>
    [0, 15, 30].map((y) => step.point([x, y, x === 20 && y === 15 ? 40 : 0])),
  );
  const surface = step.add(
    `B_SPLINE_SURFACE_WITH_KNOTS('${SECRET}',2,2,(${rows.map((row) => `(${row.join(',')})`).join(',')}),.UNSPECIFIED.,.F.,.F.,.F.,(3,3),(3,3),(0.,1.),(0.,1.),.UNSPECIFIED.)`,
  );
  const corners: Point[] = [
    [0, 0, 0],
    [40, 0, 0],
    [40, 30, 0],
    [0, 30, 0],
  ];
  const vertices = corners.map(step.vertex);
  const edges = corners.map((from, index) => {
    const next = (index + 1) % 4;
    return step.oriented(
      step.edge(vertices[index] ?? '', vertices[next] ?? '', step.line(from, corners[next] ?? from)),
      true,
    );
  });
  const shell = step.add(`OPEN_SHELL('',(${step.face(surface, edges)}))`);
  const model = step.add(`SHELL_BASED_SURFACE_MODEL('${SECRET}',(${shell}))`);
  step.product([model], 'MANIFOLD_SURFACE_SHAPE_REPRESENTATION');
  return step.file();
}

/** Two pins of 10 across and 40 high: one stands, and one lies along X at 100. */
export function stepAssembly(): string {
  const step = new StepWriter('millimetre');
  const pin = step.product([cylinderSolid(step, 5, 40)]);
  const places = [step.placement([0, 0, 0]), step.placement([100, 0, 5], [1, 0, 0], [0, 0, -1])];
  const whole = step.product(places, 'SHAPE_REPRESENTATION');
  for (const at of places) step.place(pin, whole, at);
  return step.file();
}

interface Mapping {
  across?: Point;
  scale?: string;
  /** The texts before the values of the transformation. */
  texts?: string;
}

/** A pin that is placed by a transformation of the geometry, in place of one of assemblies. */
export function stepMapped({ across = [0, 1, 0], scale = '1.', texts = "'','',''," }: Mapping): string {
  const step = new StepWriter('millimetre');
  const pin = step.product([cylinderSolid(step, 5, 40)]);
  const map = step.add(`REPRESENTATION_MAP(${pin.origin},${pin.shape})`);
  const [x, y, z] = [
    across,
    [across[1] === 0 ? 0 : -1, across[1] === 0 ? 1 : 0, 0] as Point,
    [0, 0, 1] as Point,
  ].map(step.direction);
  const place = step.add(
    `CARTESIAN_TRANSFORMATION_OPERATOR_3D(${texts}${x},${y},${step.point([100, 0, 0])},${scale},${z})`,
  );
  step.product([step.add(`MAPPED_ITEM('',${map},${place})`)], 'SHAPE_REPRESENTATION');
  return step.file();
}

/** A pin that an assembly holds twice, which another holds twice, and so on: 2 to the power of `levels` pins. */
export function stepBomb(levels: number): string {
  const step = new StepWriter('millimetre');
  let inner = step.product([cylinderSolid(step, 5, 40)]);
  for (let level = 0; level < levels; level++) {
    const places = [step.placement([0, 0, 0]), step.placement([1 + level, 0, 0])];
    const outer = step.product(places, 'SHAPE_REPRESENTATION');
    for (const at of places) step.place(inner, outer, at);
    inner = outer;
  }
  return step.file();
}
