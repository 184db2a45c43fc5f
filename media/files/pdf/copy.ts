import { deflateSync } from 'node:zlib';
import {
  PDFArray,
  PDFBool,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFString,
} from '@cantoo/pdf-lib';
import { LIMITS } from '../../limits.ts';
import { FileProblem } from '../problem.ts';
import { cleanContent } from './content.ts';
import { get } from './document.ts';
import { stripJbig2, stripJpeg, stripJpeg2000 } from './embedded-image.ts';
import { refuseUnknownGlyphs, refuseUnknownNumbers } from './fonts.ts';
import type { InlineImage } from './inline-image.ts';
import { COLOUR_SPACES, KEPT, type Kind, RESOURCES } from './kept.ts';
import type { Layers } from './layers.ts';
import type { Mark } from './losses.ts';
import { damaged, filtersOf, unpack, unusual } from './unpack.ts';

const name = (text: string) => PDFName.of(text);
const isPlain = (object: PDFObject) =>
  object instanceof PDFName || object instanceof PDFNumber || object instanceof PDFBool || object === PDFNull;
/** Named by programs for what has no colour space of its own, and found by readers under these names. */
const DEFAULT_SPACES = ['DefaultGray', 'DefaultRGB', 'DefaultCMYK'];
const keptOf = (kind: Kind): Record<string, Kind> =>
  kind === 'value' || kind === 'text' || kind === 'colourSpace' ? {} : KEPT[kind];
/** Pictures that hold more than what is drawn, by how they are packed. */
const STRIP: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  DCTDecode: stripJpeg,
  JPXDecode: stripJpeg2000,
  JBIG2Decode: stripJbig2,
};
/** What a content costs beside its bytes, as so many of these. */
const CONTENT_WORK = 1024;
const WITH_CONTENT = new Set<Kind>(['form', 'pattern']);
const CHARACTER_MAPS = new Set<Kind>(['characterMap', 'encoding']);
/** Whether what it draws is drawn with the resources around it. */
const hasNoResources = (object: PDFObject, kind: Kind) => {
  const dict = object instanceof PDFRawStream ? object.dict : object;
  return (WITH_CONTENT.has(kind) || get(dict, 'CharProcs')) && !(get(dict, 'Resources') instanceof PDFDict);
};
/** A text as it is written in a content. */
const textFrom = (written: string | undefined) =>
  written && (written.startsWith('(') ? PDFString : PDFHexString).of(written.slice(1, -1));

/** Copies what pages are drawn with into a new document, and nothing else. */
export class Copy {
  readonly #source: PDFContext;
  readonly #target: PDFContext;
  readonly #layers: Layers;
  readonly #leftOut: Set<string>;
  readonly #copied = new Map<string, PDFRef>();
  /** What is being copied. */
  readonly #open = new Set<string>();
  /** What is drawn with resources of the page, and is another copy on the next one. */
  readonly #lent = new Set<string>();
  readonly #numbers = new Map<PDFDict | undefined, number>();
  #page: PDFDict | undefined;
  #borrowed = 0;
  #remaining = LIMITS.unpackedBytes;
  readonly marks: Mark[] = [];

  constructor(source: PDFContext, target: PDFContext, layers: Layers, leftOut: Set<string>) {
    this.#source = source;
    this.#target = target;
    this.#layers = layers;
    this.#leftOut = leftOut;
  }

  /** What is kept of an object of a kind, if it is one. Resources are those of what a form is drawn on, if it has none itself. */
  copy(object: PDFObject | undefined, kind: Kind, resources?: PDFDict): PDFObject | undefined {
    if (!(object instanceof PDFRef)) return object && this.#make(object, kind, resources);
    const found = this.#source.lookup(object);
    if (!found || isPlain(found)) return found;
    const key = `${kind} ${object.tag} ${hasNoResources(found, kind) ? this.#numberOf(resources) : ''}`;
    const known = this.#copied.get(key);
    if (known) {
      if (this.#lent.has(key)) this.#borrowed++;
      return known;
    }
    // PDFium would draw for ever what draws itself.
    if (this.#open.has(key)) throw damaged();
    this.#open.add(key);
    const ref = this.#target.nextRef();
    const before = this.#borrowed;
    const made = this.#make(found, kind, resources);
    this.#open.delete(key);
    this.#copied.set(key, ref);
    if (this.#borrowed > before) this.#lent.add(key);
    this.#target.assign(ref, made ?? PDFNull);
    return ref;
  }

  #numberOf(resources: PDFDict | undefined): number {
    const number = this.#numbers.get(resources) ?? this.#numbers.size;
    this.#numbers.set(resources, number);
    return number;
  }

  /** The resources of a page. What is drawn on it also finds there what it has no category of among its own. */
  pageResources(source: PDFDict | undefined): Resources {
    if (source !== this.#page) for (const key of this.#lent) this.#copied.delete(key);
    if (source !== this.#page) this.#lent.clear();
    this.#page = source;
    return this.resources(source);
  }

  /** The resources that contents name, which are copied when they are named. */
  resources(source: PDFDict | undefined): Resources {
    const dict = PDFDict.withContext(this.#target);
    const names = new Map<string, string | undefined>();
    const of = (category: string, resource: string) => {
      const own = source?.lookup(name(category));
      if (own instanceof PDFDict) return own.get(name(resource));
      const lent = get(this.#page, category);
      const found = lent instanceof PDFDict ? lent.get(name(resource)) : undefined;
      if (found) this.#borrowed++;
      return found;
    };
    const put = (category: string, as: string, copied: PDFObject | undefined) => {
      if (!copied) return undefined;
      if (!dict.has(name(category))) dict.set(name(category), PDFDict.withContext(this.#target));
      dict.lookup(name(category), PDFDict).set(name(as), copied);
      return as;
    };
    for (const space of DEFAULT_SPACES)
      put('ColorSpace', space, this.copy(of('ColorSpace', space), 'colourSpace'));
    const keep = (category: string, resource: string) => {
      const key = `${category} ${resource}`;
      if (!names.has(key)) {
        const found = of(category, resource);
        const kind = category === 'XObject' ? this.#kindOf(found) : RESOURCES[category];
        // Names may be words.
        names.set(key, put(category, `R${names.size}`, kind && this.copy(found, kind, source)));
      }
      return names.get(key);
    };
    let added = 0;
    const add = (form: PDFObject | undefined) => put('XObject', `N${added++}`, form);
    const clean = (content: Buffer) =>
      cleanContent(content, {
        resource: keep,
        isHidden: (property) => this.#layers.isHidden(of('Properties', property)),
        hid: () => this.#leftOut.add('hidden layers'),
        mark: (named, written) => {
          const found = named === undefined ? undefined : of('Properties', named);
          const properties = found instanceof PDFRef ? this.#source.lookup(found) : found;
          const textOf = (key: string) => get(properties, key) ?? textFrom(written(key));
          if (textOf('Alt') ?? textOf('E')) this.#leftOut.add('tags for screen readers');
          const text = textOf('ActualText');
          if (!(text instanceof PDFString || text instanceof PDFHexString)) return undefined;
          const kept = PDFDict.withContext(this.#target);
          kept.set(name('MCID'), PDFNumber.of(this.marks.length));
          return put('Properties', `M${this.marks.push({ properties: kept, text })}`, kept);
        },
        image: (image) => this.#inlineImage(image, (space) => keep('ColorSpace', space)),
      });
    return { dict, clean, add };
  }

  /** A stream of content, packed. */
  packed(content: Buffer, dict = PDFDict.withContext(this.#target)): PDFRawStream {
    dict.set(name('Filter'), name('FlateDecode'));
    return PDFRawStream.of(dict, deflateSync(content));
  }

  /** The content of a stream, or of several as if they were one. */
  content(object: PDFObject | undefined): Buffer {
    const found = object instanceof PDFRef ? this.#source.lookup(object) : object;
    if (found instanceof PDFRawStream) {
      this.#refuseOutside(found);
      const unpacked = unpack(found, this.#remaining);
      this.#remaining -= unpacked.length + CONTENT_WORK;
      return unpacked;
    }
    if (!(found instanceof PDFArray)) return Buffer.alloc(0);
    const end = Buffer.from('\n');
    return Buffer.concat(found.asArray().flatMap((part) => [this.content(part), end]));
  }

  #kindOf(object: PDFObject | undefined): Kind | undefined {
    const found = object instanceof PDFRef ? this.#source.lookup(object) : object;
    if (!(found instanceof PDFRawStream)) return undefined;
    if (this.#layers.isHidden(found.dict.get(name('OC')))) {
      this.#leftOut.add('hidden layers');
      return undefined;
    }
    const subtype = found.dict.lookup(name('Subtype'));
    return subtype === name('Image') ? 'image' : subtype === name('Form') ? 'form' : undefined;
  }

  #make(object: PDFObject, kind: Kind, resources?: PDFDict): PDFObject | undefined {
    if (isPlain(object)) return object;
    if (kind === 'text' || kind === 'palette')
      if (object instanceof PDFString || object instanceof PDFHexString) return object;
    if (object instanceof PDFArray) return this.#list(object, kind, resources);
    if (object instanceof PDFRawStream) return this.#stream(object, kind, resources);
    if (!(object instanceof PDFDict)) return undefined;
    return this.#dict(object, kind, resources);
  }

  #list(list: PDFArray, kind: Kind, resources?: PDFDict): PDFArray {
    const copied = PDFArray.withContext(this.#target);
    const first = list.lookup(0);
    const kinds =
      kind === 'colourSpace' && first instanceof PDFName ? COLOUR_SPACES[first.decodeText()] : undefined;
    for (const [index, item] of list.asArray().entries()) {
      const own = !kinds ? kind : index === 0 ? 'value' : kinds[index - 1];
      const made = own && this.copy(item, own, resources);
      if (made) copied.push(made);
    }
    return copied;
  }

  #dict(dict: PDFDict, kind: Kind, resources?: PDFDict): PDFDict {
    const copied = PDFDict.withContext(this.#target);
    for (const [key, own] of Object.entries(keptOf(kind))) {
      const made = this.copy(dict.get(name(key)), own, resources);
      if (made) copied.set(name(key), made);
    }
    if (kind === 'font') {
      refuseUnknownGlyphs(dict);
      refuseUnknownNumbers(dict);
      this.#glyphs(dict, copied, resources);
    }
    return copied;
  }

  /** The drawings that are the glyphs of a font. */
  #glyphs(font: PDFDict, copied: PDFDict, resources?: PDFDict): void {
    const glyphs = font.lookup(name('CharProcs'));
    if (!(glyphs instanceof PDFDict)) return;
    const own = font.lookup(name('Resources'));
    const { dict, clean } = this.resources(own instanceof PDFDict ? own : resources);
    const drawings = PDFDict.withContext(this.#target);
    for (const [glyph, drawing] of glyphs.entries())
      drawings.set(glyph, this.#target.register(this.packed(clean(this.content(drawing)))));
    copied.set(name('CharProcs'), drawings);
    copied.set(name('Resources'), dict);
  }

  #stream(stream: PDFRawStream, kind: Kind, resources?: PDFDict): PDFRawStream {
    this.#refuseOutside(stream);
    const dict = this.#dict(stream.dict, kind, resources);
    if (WITH_CONTENT.has(kind)) {
      const own = stream.dict.lookup(name('Resources'));
      const kept = this.resources(own instanceof PDFDict ? own : resources);
      const content = kept.clean(this.content(stream));
      dict.set(name('Resources'), kept.dict);
      // Programs leave it out of the look of a field, where readers know what it is.
      if (kind === 'form') dict.set(name('Subtype'), name('Form'));
      return this.packed(content, dict);
    }
    if (CHARACTER_MAPS.has(kind)) return this.packed(withoutTexts(this.content(stream)), dict);
    if (kind === 'function' && String(dict.get(name('FunctionType'))) === '4')
      return this.packed(withoutTexts(this.content(stream)), dict);
    const filters = filtersOf(stream);
    const last = filters.at(-1);
    if (kind === 'symbols') return this.packed(Buffer.from(stripJbig2(this.content(stream))), dict);
    const strip = last && STRIP[last];
    if (strip) {
      const contents = unpack(stream, LIMITS.unpackedBytes, filters.length - 1);
      dict.set(name('Filter'), name(last));
      const parameters = stream.dict.lookup(name('DecodeParms'));
      const own = parameters instanceof PDFArray ? parameters.get(filters.length - 1) : parameters;
      const made = this.copy(own, 'parameters');
      if (made instanceof PDFDict) dict.set(name('DecodeParms'), made);
      return PDFRawStream.of(dict, strip(contents));
    }
    if (filters.includes('Crypt')) throw unusual();
    for (const [key, own] of [
      ['Filter', 'value'],
      ['DecodeParms', 'parameters'],
    ] as const) {
      const made = this.copy(stream.dict.get(name(key)), own);
      if (made) dict.set(name(key), made);
    }
    return PDFRawStream.of(dict, stream.getContents());
  }

  #inlineImage({ properties, data }: InlineImage, space: (name: string) => string | undefined): Buffer {
    const filter = properties.get('F');
    let contents = data;
    if (filter && /DCT/.test(filter)) {
      if (!/^(?:\[ ?)?\/DCT(?:Decode)?(?: ?\])?$/.test(filter)) throw unusual();
      contents = Buffer.concat([stripJpeg(data), Buffer.from('\n')]);
    }
    const named = /^\/([^\s/]+)$/.exec(properties.get('CS') ?? '')?.[1];
    const kept = named && space(named);
    if (kept) properties.set('CS', `/${kept}`);
    const head = [...properties].map(([key, value]) => `/${key} ${value}`).join(' ');
    return Buffer.concat([Buffer.from(`\nBI ${head} ID `, 'latin1'), contents, Buffer.from('EI')]);
  }

  /** A stream may lie in another file, and a form may stand for a page of one. */
  #refuseOutside({ dict }: PDFRawStream): void {
    if (['F', 'FFilter', 'FDecodeParms', 'Ref'].some((key) => dict.has(name(key))))
      throw new FileProblem(
        'This PDF needs another file. Save it with everything inside and choose it again.',
      );
  }
}

/** The resources of one or more contents in the new document. */
export interface Resources {
  dict: PDFDict;
  clean(content: Buffer): Buffer;
  /** Adds a form that contents do not name, and says its name. */
  add(form: PDFObject | undefined): string | undefined;
}

/** A map of characters, or a function, without comments; the strings in it name collections of characters. */
const withoutTexts = (content: Buffer) =>
  Buffer.from(
    content
      .toString('latin1')
      .replaceAll(/%[^\r\n]*|\((?:[^()\\]|\\[\s\S])*\)/g, (found) => (found.startsWith('%') ? '' : '()')),
    'latin1',
  );
