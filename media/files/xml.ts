import { SaxesParser, type SaxesTagNS } from 'saxes';
import { FileProblem } from './problem.ts';

const CHUNK = 256 * 1024;
const MAX_DEPTH = 100;
const MAX_ATTRIBUTES = 200;

interface Handlers {
  open(tag: SaxesTagNS): void;
  close?(tag: SaxesTagNS): void;
  text?(text: string): void;
}

/**
 * Reads XML as it is, and refuses what could reach outside of it or multiply: document types and with them entities.
 * Comments and processing instructions are passed to no one.
 */
export function readXml(bytes: Uint8Array, name: string, { open, close, text }: Handlers): void {
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  parser.on('error', (error) => {
    throw new FileProblem(
      /entity/i.test(error.message)
        ? `This ${name} uses entities, which are not accepted.`
        : `This ${name} cannot be read: its XML is damaged.`,
    );
  });
  parser.on('doctype', (declaration) => {
    // The plain declaration that older drawing programs write does no harm, and is dropped.
    if (/\[|ENTITY/i.test(declaration))
      throw new FileProblem(`This ${name} declares a document type of its own, which is not accepted.`);
  });
  parser.on('opentag', (tag) => {
    if (++depth > MAX_DEPTH) throw new FileProblem(`The parts of this ${name} are nested too deeply.`);
    if (Object.keys(tag.attributes).length > MAX_ATTRIBUTES)
      throw new FileProblem(`A part of this ${name} has too many attributes.`);
    open(tag);
  });
  parser.on('closetag', (tag) => {
    depth--;
    close?.(tag);
  });
  if (text) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  const decoder = decoderOf(bytes, name);
  for (let at = 0; at < bytes.length; at += CHUNK) {
    let part: string;
    try {
      part = decoder.decode(bytes.subarray(at, at + CHUNK), { stream: true });
    } catch {
      throw new FileProblem(`This ${name} cannot be read: its text is damaged.`);
    }
    parser.write(part);
  }
  parser.close();
}

/** The value of an attribute by its name without prefix. @param uri its namespace, for one with a prefix */
export function attributeOf(tag: SaxesTagNS, name: string, uri = ''): string | undefined {
  return Object.values(tag.attributes).find((value) => value.local === name && value.uri === uri)?.value;
}

function decoderOf(bytes: Uint8Array, name: string): TextDecoder {
  if (bytes[0] === 0xff || bytes[0] === 0xfe || bytes[0] === 0 || bytes[1] === 0)
    throw new FileProblem(`This ${name} is not written in UTF-8.`);
  return new TextDecoder('utf-8', { fatal: true });
}
