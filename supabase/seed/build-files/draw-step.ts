type Point = [number, number, number];

/** A round plate with a bore and bolt holes, in millimetres. */
interface Plate {
  radius: number;
  thickness: number;
  /** Radius of the hole in the middle. */
  bore: number;
  bolts: number;
  /** Radius of the circle on which the bolts lie. */
  pitch: number;
  /** Radius of a bolt hole. */
  bolt: number;
}

/** The plate as a STEP solid of planes and cylinders. */
export function drawPlate({ radius, thickness, bore, bolts, pitch, bolt }: Plate): Uint8Array {
  const lines: string[] = [];
  const add = (text: string) => `#${lines.push(text)}`;
  const real = (value: number) => (Number.isInteger(value) ? `${value}.` : value.toFixed(6));
  const point = (at: Point) => add(`CARTESIAN_POINT('',(${at.map(real).join(',')}))`);
  const direction = (at: Point) => add(`DIRECTION('',(${at.map(real).join(',')}))`);
  const placement = (at: Point, z: Point = [0, 0, 1]) =>
    add(`AXIS2_PLACEMENT_3D('',${point(at)},${direction(z)},${direction([1, 0, 0])})`);
  const use = (edge: string, isForward: boolean) =>
    add(`ORIENTED_EDGE('',*,*,${edge},${isForward ? '.T.' : '.F.'})`);
  const bound = (kind: string, edges: string[]) =>
    add(`${kind}('',${add(`EDGE_LOOP('',(${edges.join(',')}))`)},.T.)`);
  const [bottoms, tops, faces]: [string[], string[], string[]] = [[], [], []];

  const wall = (x: number, y: number, size: number, isOutside: boolean) => {
    const [low, high] = [0, thickness].map((z): Point => [x + size, y, z]) as [Point, Point];
    const [start, end] = [low, high].map((at) => add(`VERTEX_POINT('',${point(at)})`)) as [string, string];
    const ring = (vertex: string, z: number) =>
      add(
        `EDGE_CURVE('',${vertex},${vertex},${add(`CIRCLE('',${placement([x, y, z])},${real(size)})`)},.T.)`,
      );
    const [bottom, top] = [ring(start, 0), ring(end, thickness)];
    const line = add(`LINE('',${point(low)},${add(`VECTOR('',${direction([0, 0, 1])},1.)`)})`);
    const seam = add(`EDGE_CURVE('',${start},${end},${line},.T.)`);
    const loop = [use(bottom, true), use(seam, true), use(top, false), use(seam, false)];
    const surface = add(`CYLINDRICAL_SURFACE('',${placement([x, y, 0])},${real(size)})`);
    const edge = bound('FACE_OUTER_BOUND', isOutside ? loop : loop.toReversed());
    faces.push(add(`ADVANCED_FACE('',(${edge}),${surface},${isOutside ? '.T.' : '.F.'})`));
    const kind = isOutside ? 'FACE_OUTER_BOUND' : 'FACE_BOUND';
    bottoms.push(bound(kind, [use(bottom, !isOutside)]));
    tops.push(bound(kind, [use(top, isOutside)]));
  };
  wall(0, 0, radius, true);
  wall(0, 0, bore, false);
  for (let index = 0; index < bolts; index++) {
    const angle = ((index + 0.5) * 2 * Math.PI) / bolts;
    wall(pitch * Math.cos(angle), pitch * Math.sin(angle), bolt, false);
  }
  const plane = (z: number, up: number) => add(`PLANE('',${placement([0, 0, z], [0, 0, up])})`);
  faces.push(add(`ADVANCED_FACE('',(${bottoms.join(',')}),${plane(0, -1)},.T.)`));
  faces.push(add(`ADVANCED_FACE('',(${tops.join(',')}),${plane(thickness, 1)},.T.)`));

  const solid = add(`MANIFOLD_SOLID_BREP('',${add(`CLOSED_SHELL('',(${faces.join(',')}))`)})`);
  const units = [
    '(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))',
    '(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))',
    '(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())',
  ].map(add);
  const context = add(
    `(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNIT_ASSIGNED_CONTEXT((${units.join(',')}))REPRESENTATION_CONTEXT('',''))`,
  );
  const shape = add(`ADVANCED_BREP_SHAPE_REPRESENTATION('',(${placement([0, 0, 0])},${solid}),${context})`);
  const application = add("APPLICATION_CONTEXT('core data for automotive mechanical design processes')");
  const product = add(
    `PRODUCT('plate','plate','',(${add(`PRODUCT_CONTEXT('',${application},'mechanical')`)}))`,
  );
  const formation = add(`PRODUCT_DEFINITION_FORMATION('','',${product})`);
  const design = add(`PRODUCT_DEFINITION_CONTEXT('part definition',${application},'design')`);
  const definition = add(`PRODUCT_DEFINITION('','',${formation},${design})`);
  add(`SHAPE_DEFINITION_REPRESENTATION(${add(`PRODUCT_DEFINITION_SHAPE('','',${definition})`)},${shape})`);
  const data = lines.map((line, index) => `#${index + 1}=${line};`).join('\n');
  return Buffer.from(
    `ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));\nENDSEC;\nDATA;\n${data}\nENDSEC;\nEND-ISO-10303-21;\n`,
  );
}
