import {
  AmbientLight,
  BackSide,
  Box3,
  Box3Helper,
  type BufferGeometry,
  Color,
  DirectionalLight,
  FrontSide,
  type LineBasicMaterial,
  type Material,
  Mesh,
  MeshLambertMaterial,
  MOUSE,
  PerspectiveCamera,
  Plane,
  Scene,
  Sphere,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { STLLoader } from 'three/addons/loaders/STLLoader.js';

export const axes = ['X', 'Y', 'Z'] as const;
export type Axis = (typeof axes)[number];

/** Where the model is cut: what lies beyond this part of its length along the axis is not shown. */
export interface Section {
  axis: Axis;
  /** From 0 to 1. */
  part: number;
}

interface Colours {
  /** The colour behind the model. */
  background: string;
  outside: string;
  inside: string;
  lines: string;
}

const directions = { X: new Vector3(-1, 0, 0), Y: new Vector3(0, -1, 0), Z: new Vector3(0, 0, -1) };
/** From the front, a little from its side and from above, like the still picture. */
const FIRST_VIEW = new Vector3(1, -1, 0.7).normalize();
const TURN = Math.PI / 12;
const STEP_PIXELS = 40;
const STEP_ZOOM = 0.8;

/** The ways in which a reader moves the model without a pointer. */
export type Move =
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'nearer'
  | 'farther'
  | 'pan left'
  | 'pan right'
  | 'pan up'
  | 'pan down'
  | 'reset';

/**
 * A model in three dimensions on a canvas. It draws when something has changed, and never by itself.
 *
 * @param bytes a binary STL in millimetres that processing has written
 * @throws Error when the browser draws nothing in three dimensions
 */
export function showModel(canvas: HTMLCanvasElement, bytes: ArrayBuffer, onLost: () => void) {
  const renderer = new WebGLRenderer({ canvas, antialias: true });
  renderer.localClippingEnabled = true;
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));

  const geometry: BufferGeometry = new STLLoader().parse(bytes);
  // Of a model of several materials.
  const hasColours = geometry.hasAttribute('color');
  // The mesh keeps its place in millimetres, so that the section and the box are the model's own.
  const box = new Box3().setFromBufferAttribute(geometry.getAttribute('position') as never);
  const { center, radius } = box.getBoundingSphere(new Sphere());
  const outside = new MeshLambertMaterial({ side: FrontSide, vertexColors: hasColours });
  // A cut shows the inside, which has a colour of its own.
  const inside = new MeshLambertMaterial({ side: BackSide });
  const insideMesh = new Mesh(geometry, inside);
  const outline = new Box3Helper(box);
  const outlineMaterial = outline.material as LineBasicMaterial;
  const [key, fill] = [new DirectionalLight(0xffffff, 2), new DirectionalLight(0xffffff, 0.8)];
  const camera = new PerspectiveCamera(35, 1, radius / 100, radius * 40);
  camera.up.set(0, 0, 1);
  const scene = new Scene();
  scene.add(new Mesh(geometry, outside), insideMesh, outline, new AmbientLight(0xffffff, 0.9), camera);
  // The lights stand beside the reader, so that the side in sight is always lit.
  key.position.set(0.6, 1, 1);
  fill.position.set(-1, -0.4, 0.6);
  camera.add(key, fill);

  const controls = new OrbitControls(camera, canvas);
  controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.PAN };
  controls.minDistance = radius / 10;
  controls.maxDistance = radius * 20;
  controls.target.copy(center);
  camera.position
    .copy(center)
    .addScaledVector(FIRST_VIEW, (radius * 1.15) / Math.sin((camera.fov / 2) * (Math.PI / 180)));
  controls.update();
  controls.saveState();

  let frame = 0;
  const draw = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      renderer.render(scene, camera);
    });
  };
  controls.addEventListener('change', draw);
  const lost = (event: Event) => {
    event.preventDefault();
    onLost();
  };
  canvas.addEventListener('webglcontextlost', lost);

  const moves: Record<Move, () => void> = {
    left: () => controls.rotateLeft(TURN),
    right: () => controls.rotateLeft(-TURN),
    up: () => controls.rotateUp(TURN),
    down: () => controls.rotateUp(-TURN),
    nearer: () => controls.dollyIn(STEP_ZOOM),
    farther: () => controls.dollyOut(STEP_ZOOM),
    'pan left': () => controls.pan(STEP_PIXELS, 0),
    'pan right': () => controls.pan(-STEP_PIXELS, 0),
    'pan up': () => controls.pan(0, STEP_PIXELS),
    'pan down': () => controls.pan(0, -STEP_PIXELS),
    reset: () => controls.reset(),
  };
  const materials: Material[] = [outside, inside];

  return {
    move: (move: Move) => moves[move](),
    resize(width: number, height: number) {
      renderer.setSize(width, height, false);
      camera.aspect = width / Math.max(height, 1);
      camera.updateProjectionMatrix();
      draw();
    },
    colour(colours: Colours) {
      scene.background = new Color(colours.background);
      outside.color.set(hasColours ? '#ffffff' : colours.outside);
      inside.color.set(colours.inside);
      outlineMaterial.color.set(colours.lines);
      draw();
    },
    showEdges(isWireframe: boolean) {
      outside.wireframe = isWireframe;
      // Edges seen from behind would lie over those in front.
      insideMesh.visible = !isWireframe;
      draw();
    },
    cut(section: Section | null) {
      const name = section?.axis.toLowerCase() as 'x' | 'y' | 'z';
      const planes = section
        ? [
            new Plane(
              directions[section.axis],
              box.min[name] + section.part * (box.max[name] - box.min[name]),
            ),
          ]
        : null;
      for (const material of materials) material.clippingPlanes = planes;
      draw();
    },
    dispose() {
      cancelAnimationFrame(frame);
      canvas.removeEventListener('webglcontextlost', lost);
      controls.dispose();
      geometry.dispose();
      for (const material of materials) material.dispose();
      outline.dispose();
      renderer.dispose();
    },
  };
}

export type ShownModel = ReturnType<typeof showModel>;
