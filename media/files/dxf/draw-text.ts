import { angleOf, type Placement, type Point, radians, turned } from '../affine.ts';
import { cornerOf } from './flatten.ts';
import { damaged, type Entity, numberOf, numbersOf, textOf, textsOf } from './read-dxf.ts';
import { type Shape, textShape } from './shapes.ts';
import { linesOfText, plainText, TEXT_STYLES } from './text.ts';

/** Of lines of text of height 1, from one baseline to the next. */
const LINE_SPACING = 5 / 3;

/** Words stay readable: a block may turn and enlarge them, and never mirrors them. */
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
  // Written backwards or upside down.
  if ((numberOf(entity, 71, 0) & 6) !== 0) leaveOut(TEXT_STYLES);
  const lying = lyingOf(place, numberOf(entity, 40), numberOf(entity, 50, 0));
  const words = {
    text,
    start: cornerOf(place, entity),
    ...lying,
    stretch: numberOf(entity, 41, 1) || 1,
    slant: slantOf(numberOf(entity, 51, 0)),
  };
  const [across, up] = [numberOf(entity, 72, 0), numberOf(entity, entity.type === 'ATTRIB' ? 74 : 73, 0)];
  if ((across === 0 && up === 0) || numbersOf(entity, 11).length === 0) return [textShape(look, words)];
  const point = cornerOf(place, entity, 11, 21);
  return [textShape(look, { ...words, aligned: { across, up, point } })];
}

/** Backwards is written as 345 degrees. */
const slantOf = (degrees: number) => (degrees > 180 ? degrees - 360 : degrees);

function lyingOf(place: Placement, height: number, degrees: number) {
  const angle = radians(degrees);
  const turn = (angleOf(turned(place, [Math.cos(angle), Math.sin(angle)])) * 180) / Math.PI;
  const up = Math.hypot(...turned(place, [-Math.sin(angle), Math.cos(angle)]));
  if (!(height > 0)) throw damaged();
  return { height: height * up, turn };
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
  const { height, turn } = lyingOf(place, own, degrees);
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
    const start: Point = [x + down * Math.sin(radians(turn)), y - down * Math.cos(radians(turn))];
    const aligned = column === 0 ? {} : { aligned: { across: column, up: 0, point: start } };
    return [textShape(look, { ...line, start, turn, ...aligned })];
  });
}
