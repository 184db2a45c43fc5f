import { PDFArray, PDFDict, type PDFDocument, PDFName, type PDFObject, PDFRef } from '@cantoo/pdf-lib';
import { get } from './document.ts';

const refsOf = (list: PDFObject | undefined) =>
  new Set(list instanceof PDFArray ? list.asArray().map(String) : []);
const MAX_DEPTH = 20;

/** The layers of a document, as it shows them when it is opened. */
export class Layers {
  /** Whether it has any. */
  readonly exist: boolean;
  readonly #isOn: (layer: string) => boolean;
  readonly #document: PDFDocument;

  constructor(document: PDFDocument) {
    this.#document = document;
    const properties = get(document.catalog, 'OCProperties');
    const config = get(document.catalog, 'OCProperties', 'D');
    const settings = config instanceof PDFDict ? config : undefined;
    const [on, off] = [refsOf(get(settings, 'ON')), refsOf(get(settings, 'OFF'))];
    const startsOff = String(get(settings, 'BaseState')) === '/OFF';
    this.#isOn = (layer) => (startsOff ? on.has(layer) : !off.has(layer));
    this.exist = properties instanceof PDFDict && refsOf(get(properties, 'OCGs')).size > 0;
  }

  /** Whether a layer, or what belongs to several, is not seen. A print alone would show some of them. */
  isHidden(layer: PDFObject | undefined, depth = 0): boolean {
    const found = layer instanceof PDFRef ? this.#document.context.lookup(layer) : layer;
    if (!(found instanceof PDFDict) || depth > MAX_DEPTH) return false;
    if (String(get(found, 'Type')) !== '/OCMD')
      return !this.#isOn(String(layer)) || String(get(found, 'Usage', 'View', 'ViewState')) === '/OFF';
    const rule = get(found, 'VE');
    if (rule instanceof PDFArray) return !this.#holds(rule, depth);
    const members = found.get(PDFName.of('OCGs'));
    const list = members instanceof PDFRef ? this.#document.context.lookup(members) : members;
    const hidden = (list instanceof PDFArray ? list.asArray() : members ? [members] : []).map((member) =>
      this.isHidden(member, depth + 1),
    );
    if (hidden.length === 0) return false;
    const policy = String(get(found, 'P'));
    if (policy === '/AllOn') return hidden.includes(true);
    if (policy === '/AnyOff') return !hidden.includes(true);
    if (policy === '/AllOff') return hidden.includes(false);
    return !hidden.includes(false);
  }

  /** Whether an expression of layers is true. */
  #holds(rule: PDFArray, depth: number): boolean {
    const [operator, ...operands] = rule.asArray();
    if (depth > MAX_DEPTH) return true;
    const holds = (operand: PDFObject): boolean => {
      const found = operand instanceof PDFRef ? this.#document.context.lookup(operand) : operand;
      return found instanceof PDFArray ? this.#holds(found, depth + 1) : !this.isHidden(operand, depth + 1);
    };
    if (String(operator) === '/Not') return !(operands[0] && holds(operands[0]));
    return String(operator) === '/Or' ? operands.some(holds) : operands.every(holds);
  }
}
