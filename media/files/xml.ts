import { SaxesParser, type SaxesTagNS } from 'saxes';
import { FileProblem } from './problem.ts';

const CHUNK = 256 * 1024;
const MAX_DEPTH = 100;
const MAX_ATTRIBUTES = 200;
/** What all abbreviations of a file may add to it. */
const MAX_EXPANDED = 1_000_000;

interface Handlers {
  open(tag: SaxesTagNS): void;
  close?(tag: SaxesTagNS): void;
  text?(text: string): void;
  instruction?(target: string): void;
}

/**
 * Reads XML as it is, and refuses what could reach outside of it or multiply. Of a document type, abbreviations of plain
 * text are read. Comments are passed to no one.
 */
export function readXml(bytes: Uint8Array, name: string, { open, close, text, instruction }: Handlers): void {
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  parser.on('error', (error) => {
    // Programs forget to declare the prefixes of their own notes; a prefix without a namespace is one of its own.
    if (error.message.includes('unbound namespace prefix')) return;
    throw new FileProblem(
      /entity/i.test(error.message)
        ? `This ${name} uses entities that it does not explain. Save it again without them and choose it again.`
        : `This ${name} cannot be read: its XML is damaged. Save it again and choose it again.`,
    );
  });
  parser.on('doctype', (declaration) => readAbbreviations(declaration, parser.ENTITIES, name));
  parser.on('opentag', (tag) => {
    if (++depth > MAX_DEPTH)
      throw new FileProblem(
        `The parts of this ${name} are nested too deeply. Ungroup them and choose it again.`,
      );
    if (Object.keys(tag.attributes).length > MAX_ATTRIBUTES)
      throw new FileProblem(`A part of this ${name} has too many attributes.`);
    open(tag);
  });
  parser.on('closetag', (tag) => {
    depth--;
    close?.(tag);
  });
  if (instruction) parser.on('processinginstruction', ({ target }) => instruction(target));
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
  // One without a prefix is in no namespace, and stands under its name.
  if (uri === '') return tag.attributes[name]?.value;
  return Object.values(tag.attributes).find((value) => value.local === name && value.uri === uri)?.value;
}

/** For text and for attributes. */
export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Illustrator names the addresses of its namespaces by entities of plain text. No other kind is read. */
function readAbbreviations(declaration: string, known: Record<string, string>, name: string) {
  const start = declaration.indexOf('[');
  if (start < 0) return;
  let expanded = 0;
  const rest = declaration
    .slice(start + 1, declaration.lastIndexOf(']'))
    .replaceAll(/<!--[^-]*-->/g, '')
    .replaceAll(
      /<!ENTITY\s+([A-Za-z_][\w.-]*)\s+(?:"([^"<&%]*)"|'([^'<&%]*)')\s*>/g,
      (_, entity: string, double?: string, single?: string) => {
        const value = double ?? single ?? '';
        Object.defineProperty(known, entity, {
          configurable: true,
          get: () => {
            expanded += value.length;
            if (expanded > MAX_EXPANDED)
              throw new FileProblem(
                `The entities of this ${name} stand for too much text. Save it without them.`,
              );
            return value;
          },
        });
        return '';
      },
    );
  if (rest.trim() !== '')
    throw new FileProblem(
      `This ${name} declares a document type of its own that cannot be read. Save it as a plain file without one and choose it again.`,
    );
}

function decoderOf(bytes: Uint8Array, name: string): TextDecoder {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  if (head.startsWith('\xff\xfe') || head.startsWith('<\0'))
    return new TextDecoder('utf-16le', { fatal: true });
  if (head.startsWith('\xfe\xff') || head.startsWith('\0<'))
    return new TextDecoder('utf-16be', { fatal: true });
  const [, declared = 'utf-8'] = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head) ?? [];
  try {
    // What begins with one byte a letter is not UTF-16, whatever it says.
    return new TextDecoder(/^utf-?16/i.test(declared) ? 'utf-8' : declared, { fatal: true });
  } catch {
    throw new FileProblem(
      `This ${name} is written in the encoding ${declared}. Save it in UTF-8 and choose it again.`,
    );
  }
}
