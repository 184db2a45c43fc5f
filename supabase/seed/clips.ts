/** The way in which a clip of the demo content moves the parts of a drawing in `art/`. */
interface Clip {
  art: string;
  seconds: number;
  /** The drawing at a moment of the clip. `phase` runs from 0 to 1; the last frame leads back to the first. */
  frame: (svg: string, phase: number) => string;
}

export type ClipName =
  | 'running-blade'
  | 'handlebar-gripper'
  | 'quick-change-coupling'
  | 'swim-fin'
  | 'balance-board';

const wave = (phase: number) => Math.sin(phase * 2 * Math.PI);
/** From 0 to 1 and back. */
const swell = (phase: number) => (1 - Math.cos(phase * 2 * Math.PI)) / 2;
/** From 0 at `from` to 1 at `to`, without a jerk. */
const glide = (phase: number, from: number, to: number) => {
  const part = Math.min(1, Math.max(0, (phase - from) / (to - from)));
  return part * part * (3 - 2 * part);
};
const move = (svg: string, part: string, transform: string) =>
  svg.replaceAll(part, `<g transform="${transform}">`);

export const CLIPS: Record<ClipName, Clip> = {
  'running-blade': {
    art: 'running-blade/in-use',
    seconds: 5,
    frame(svg, phase) {
      const stride = phase * 4;
      const load = swell(stride);
      return move(
        svg,
        '<g transform="translate(60 -4) rotate(-8 480 300) scale(.92)">',
        `translate(${60 + 18 * wave(stride)} ${-44 + 44 * load}) rotate(${-12 + 10 * load} 480 300) scale(.92 ${0.94 - 0.03 * load})`,
      );
    },
  },
  'handlebar-gripper': {
    art: 'handlebar-gripper/whole',
    seconds: 4,
    /** Both fingers turn about their common pin, from open to closed and back, twice. */
    frame(svg, phase) {
      const angle = 16 - swell(phase * 2) * 22;
      return move(
        move(svg, '<g id="upper">', `rotate(${-angle} 540 284)`),
        '<g id="lower">',
        `rotate(${angle} 540 284)`,
      );
    },
  },
  'quick-change-coupling': {
    art: 'quick-change-coupling/whole',
    seconds: 6,
    frame(svg, phase) {
      const away = glide(phase, 0.08, 0.42) - glide(phase, 0.66, 0.94);
      // Beside the other half first, then down on it with a click.
      const click = glide(phase, 0.42, 0.48) - glide(phase, 0.6, 0.66);
      return move(svg, '<g class="blade">', `translate(${-210 * away} ${-14 * away - 24 * click})`);
    },
  },
  'swim-fin': {
    art: 'swim-fin/in-use',
    seconds: 3,
    frame: (svg, phase) => move(svg, '<g class="fin">', `rotate(${22 * wave(phase * 2)} 450 365)`),
  },
  'balance-board': {
    art: 'balance-board/in-use',
    seconds: 8,
    frame(svg, phase) {
      const tilt = 5 * wave(phase) * (0.6 + 0.4 * wave(phase * 2));
      return move(svg, '<g class="board">', `rotate(${tilt} 480 484)`);
    },
  },
};
