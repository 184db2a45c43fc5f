import type { SaxesTagNS } from 'saxes';
import { FileProblem } from '../problem.ts';
import { attributeOf } from '../xml.ts';

export const MATERIAL = 'http://schemas.microsoft.com/3dmanufacturing/material/2015/02';
const MAX_COLOURS = 10_000;
const COLOUR = /^#[0-9A-F]{6}(?:[0-9A-F]{2})?$/i;

/** A material to print with, or a colour that may change from corner to corner. */
interface Colour {
  kind: 'material' | 'colour';
  /** #RRGGBB or #RRGGBBAA */
  value: string;
}

/** The ids of the groups in the new file. Objects count on from there. */
const GROUP_IDS = { material: 1, colour: 2 };
export const FIRST_OBJECT_ID = 3;

/** The materials and colours of a package. Each has a number from 1 on; 0 is none. */
export class Palette {
  readonly #colours: Colour[] = [];
  /** By the path of the model and the id of the group: the number before the first colour of the group, and their count. */
  readonly #groups = new Map<string, { before: number; count: number }>();
  #open: { before: number; count: number } | undefined;

  /**
   * @param leftOut gets the name of what is not kept
   * @returns whether the tag belongs to a palette
   */
  read(tag: SaxesTagNS, path: string, core: string, leftOut: Set<string>): boolean {
    const isCore = tag.uri === core;
    if (!isCore && tag.uri !== MATERIAL) return false;
    if ((isCore && tag.local === 'basematerials') || (!isCore && tag.local === 'colorgroup')) {
      this.#open = { before: this.#colours.length, count: 0 };
      this.#groups.set(`${path}#${attributeOf(tag, 'id')}`, this.#open);
    } else if (isCore && tag.local === 'base') this.#add('material', attributeOf(tag, 'displaycolor'));
    else if (!isCore && tag.local === 'color') this.#add('colour', attributeOf(tag, 'color'));
    else if (!isCore && /^(?:texture2d|compositematerials|multiproperties)/.test(tag.local))
      leftOut.add('textures and mixed materials');
    else return false;
    return true;
  }

  #add(kind: Colour['kind'], value = ''): void {
    if (!this.#open || !COLOUR.test(value)) throw new FileProblem('A colour of this 3MF cannot be read.');
    if (this.#colours.push({ kind, value: value.toUpperCase() }) > MAX_COLOURS)
      throw new FileProblem(`This 3MF has more than ${MAX_COLOURS} colours.`);
    this.#open.count++;
  }

  /** The number of a colour by its group and its place there. */
  numberOf(path: string, group: string | undefined, index: string | undefined): number {
    const found = group === undefined ? undefined : this.#groups.get(`${path}#${group}`);
    if (!found || index === undefined) return 0;
    if (!/^\d{1,6}$/.test(index) || Number(index) >= found.count)
      throw new FileProblem('A triangle of this 3MF has a colour that does not exist.');
    return found.before + Number(index) + 1;
  }

  get size(): number {
    return this.#colours.length;
  }

  /** From 0 to 255, for pictures; opaque. */
  rgb(number: number): [number, number, number] | undefined {
    const value = this.#colours[number - 1]?.value;
    if (!value) return undefined;
    return [1, 3, 5].map((at) => Number.parseInt(value.slice(at, at + 2), 16)) as [number, number, number];
  }

  /** The groups of the new file. A material is named after its colour, since names are its author's. */
  written(): string {
    const [materials, colours] = [this.#of('material'), this.#of('colour')];
    const bases = materials.map(({ value }) => `<base name="${value}" displaycolor="${value}"/>`).join('');
    const inks = colours.map(({ value }) => `<m:color color="${value}"/>`).join('');
    return [
      bases && `<basematerials id="${GROUP_IDS.material}">${bases}</basematerials>`,
      inks && `<m:colorgroup id="${GROUP_IDS.colour}" xmlns:m="${MATERIAL}">${inks}</m:colorgroup>`,
    ].join('');
  }

  #of = (kind: Colour['kind']) => this.#colours.filter((colour) => colour.kind === kind);

  /** Where a colour lies in the new file. */
  place(number: number): { group: number; index: number } | undefined {
    const colour = this.#colours[number - 1];
    if (!colour) return undefined;
    return { group: GROUP_IDS[colour.kind], index: this.#indexes()[number - 1] ?? 0 };
  }

  #places: number[] | undefined;
  #indexes(): number[] {
    const count = { material: 0, colour: 0 };
    this.#places ??= this.#colours.map(({ kind }) => count[kind]++);
    return this.#places;
  }
}
