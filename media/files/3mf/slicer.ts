import { attributeOf, readXml } from '../xml.ts';
import { problem } from './unpack.ts';

/** What a slicer notes about parts of an object, which are meshes like others for the format itself. */
export interface SlicerNotes {
  /** By the id of an object: the triangles, from the first to the last, that are no part of the shape. */
  ranges: Map<string, [number, number][]>;
  /** The id of an object, and after a slash that of a component which is no part of its shape. */
  components: Set<string>;
}

const SHAPE = /^(?:ModelPart|normal_part)$/;

/**
 * Reads what PrusaSlicer, Bambu Studio and those after them write beside the model.
 *
 * @throws FileProblem when a part is cut out of another, since the shape without that is another one
 */
export function readNotes(files: Uint8Array[]): SlicerNotes {
  const notes: SlicerNotes = { ranges: new Map(), components: new Set() };
  for (const bytes of files) {
    let [object, range]: [string, [number, number]] = ['', [0, -1]];
    const judge = (kind: string, leaveOut: () => void) => {
      if (/^negative/i.test(kind))
        throw problem(
          'holds parts that the slicer cuts out of others. Cut them out in your program, and export the shape itself.',
        );
      if (!SHAPE.test(kind)) leaveOut();
    };
    readXml(bytes, '3MF', {
      open: (tag) => {
        const [id, subtype] = [attributeOf(tag, 'id') ?? '', attributeOf(tag, 'subtype')];
        if (tag.local === 'object') object = id;
        if (tag.local === 'volume')
          range = [Number(attributeOf(tag, 'firstid')), Number(attributeOf(tag, 'lastid'))];
        if (tag.local === 'part' && subtype) judge(subtype, () => notes.components.add(`${object}/${id}`));
        const [key, value] = [attributeOf(tag, 'key'), attributeOf(tag, 'value') ?? ''];
        if (tag.local === 'metadata' && (key === 'volume_type' || (key === 'modifier' && value === '1')))
          judge(value, () => {
            const ranges = notes.ranges.get(object) ?? [];
            if (range.every(Number.isInteger) && range[0] >= 0 && range[0] <= range[1]) ranges.push(range);
            notes.ranges.set(object, ranges);
          });
      },
    });
  }
  return notes;
}
