import { angleOf, isMirrored, type Placement, type Point, radians, turned } from '../affine.ts';
import { cornerOf } from './flatten.ts';
import { damaged, type Entity, numberOf, numbersOf, textOf, textsOf } from './read-dxf.ts';
import { type Shape, textShape } from './shapes.ts';
import { linesOfText, plainText, TEXT_STYLES } from './text.ts';

/** The distance from one baseline to the next, for text of height 1. */
const LINE_SPACING = 5 / 3;

/** A text in its place; words that a block mirrors stay mirrored. */
export function drawText(
  entity: Entity,
  place: Placement,
  look: string,
  leaveOut: (name: string) => void,
): Shape[] {
  // The field of a block can be hidden.
  if (entity.type === 'ATTRIB' && (numberOf(entity, 70, 0) & 1) === 1) {
    leaveOut('hidden parts');
    return [];
  }
  const text = plainText(textOf(entity, 1), leaveOut);
  if (text.trim() === '') return [];
  const lying = lyingOf(place, numberOf(entity, 40), numberOf(entity, 50, 0), leaveOut);
  const flags = numberOf(entity, 71, 0);
  const words = {
    text,
    start: cornerOf(place, entity),
    ...lying,
    stretch: lying.stretch * (numberOf(entity, 41, 1) || 1),
    isBackwards: (flags & 2) !== 0,
    isUpsideDown: lying.isUpsideDown !== ((flags & 4) !== 0),
    slant: slantOf(numberOf(entity, 51, 0)),
  };
  const [across, up] = [numberOf(entity, 72, 0), numberOf(entity, entity.type === 'ATTRIB' ? 74 : 73, 0)];
  if ((across === 0 && up === 0) || numbersOf(entity, 11).length === 0) return [textShape(look, words)];
  const point = cornerOf(place, entity, 11, 21);
  return [textShape(look, { ...words, aligned: { across, up, point } })];
}

/** Backwards is written as 345 degrees. */
const slantOf = (degrees: number) => (degrees > 180 ? degrees - 360 : degrees);

/** A block that mirrors its words has them upside down along their line, in the words of the format. */
function lyingOf(place: Placement, height: number, degrees: number, leaveOut: (name: string) => void) {
  const angle = radians(degrees);
  const along = turned(place, [Math.cos(angle), Math.sin(angle)]);
  const upwards = turned(place, [-Math.sin(angle), Math.cos(angle)]);
  const [wide, tall] = [Math.hypot(...along), Math.hypot(...upwards)];
  if (!(height > 0)) throw damaged();
  // Letters that a block leans are written upright.
  if (Math.abs(along[0] * upwards[0] + along[1] * upwards[1]) > 1e-6 * wide * tall) leaveOut(TEXT_STYLES);
  return {
    height: height * tall,
    turn: (angleOf(along) * 180) / Math.PI,
    stretch: wide / tall,
    isUpsideDown: isMirrored(place),
  };
}

/** Texts of several lines become one text a line. */
export function drawParagraphs(
  entity: Entity,
  place: Placement,
  look: string,
  leaveOut: (name: string) => void,
): Shape[] {
  const all = textsOf(entity, 3, 1);
  const own = numberOf(entity, 40);
  const degrees =
    numbersOf(entity, 11).length > 0
      ? (Math.atan2(numberOf(entity, 21), numberOf(entity, 11)) * 180) / Math.PI
      : numberOf(entity, 50, 0);
  const { height, turn, stretch, isUpsideDown } = lyingOf(place, own, degrees, leaveOut);
  const lines = linesOfText(all.join(''), own, numberOf(entity, 41, 0), leaveOut).map((line) => ({
    ...line,
    height: (line.height * height) / own,
  }));
  const attached = numberOf(entity, 71, 1);
  const [column, row] = [(attached - 1) % 3, Math.floor((attached - 1) / 3)];
  const spacing = LINE_SPACING * numberOf(entity, 44, 1);
  const room = lines.reduce((sum, line, index) => sum + line.height * (index === 0 ? 1 : spacing), 0);
  let down = { 0: 0, 1: -room / 2 }[row] ?? -room;
  const [x, y] = cornerOf(place, entity);
  return lines.flatMap((line, index) => {
    down += line.height * (index === 0 ? 1 : spacing);
    if (line.text === '') return [];
    const below = isUpsideDown ? -down : down;
    const start: Point = [x + below * Math.sin(radians(turn)), y - below * Math.cos(radians(turn))];
    const aligned = column === 0 ? {} : { aligned: { across: column, up: 0, point: start } };
    return [textShape(look, { ...line, start, turn, stretch, isUpsideDown, ...aligned })];
  });
}
