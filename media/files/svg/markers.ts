import { tooMuchCopied } from './copies.ts';
import { plainId } from './style.ts';

const MAX_TEXT = 10_000_000;
const IN_STYLE = /marker(-start|-mid|-end)?\s*:\s*url\(#([^)]*)\)/g;

/** The paints that a line gives its arrowheads. */
export interface Paints {
  fill: string;
  stroke: string;
  /** False where a style sheet may have others. */
  isSure: boolean;
}

/**
 * Arrowheads that turn round at the start of a line, or take its colour, are not known to the library. Each line gets a copy
 * of its own of them, turned and coloured.
 */
export class Markers {
  private readonly definitions = new Map<string, { attributes: Map<string, string>; content: string }>();
  private readonly wanted = new Map<string, { id: string; isStart: boolean; paints: Paints }>();

  define(attributes: Map<string, string>, content: string) {
    const id = attributes.get('id');
    if (id !== undefined && !this.definitions.has(id)) this.definitions.set(id, { attributes, content });
  }

  /** The same declarations with the names of the copies. */
  inStyle(style: string, paints: Paints): string {
    return style.replaceAll(IN_STYLE, (_, place: string | undefined, id: string) =>
      (place ? [place] : ['-start', '-mid', '-end'])
        .map((part) => `marker${part}:url(#${this.copyOf(id, part === '-start', paints)})`)
        .join(';'),
    );
  }

  /** The name of a marker's copy. */
  copyOf(id: string, isStart: boolean, paints: Paints): string {
    const name = plainId(`${id} ${isStart ? 'start' : ''} ${paints.fill} ${paints.stroke}`);
    this.wanted.set(name, { id, isStart, paints });
    return name;
  }

  /** The copies that lines name. */
  write(leftOut: Set<string>): string {
    const out: string[] = [];
    let length = 0;
    for (const [name, { id, isStart, paints }] of this.wanted) {
      const marker = this.definitions.get(id);
      if (!marker) continue;
      const attributes = new Map(marker.attributes).set('id', name);
      let { content } = marker;
      if (attributes.get('orient') === 'auto-start-reverse') {
        attributes.set('orient', 'auto');
        const centre = `${attributes.get('refX') ?? 0} ${attributes.get('refY') ?? 0}`;
        if (isStart) content = `<g transform="rotate(180 ${centre})">${content}</g>`;
      }
      if (content.includes('context-') && !paints.isSure) leftOut.add('colours of arrowheads');
      content = content.replaceAll('context-stroke', paints.stroke).replaceAll('context-fill', paints.fill);
      length += content.length;
      if (length > MAX_TEXT) throw tooMuchCopied();
      const written = [...attributes].map(([key, value]) => ` ${key}="${value}"`).join('');
      out.push(`<marker${written}>${content}</marker>`);
    }
    return out.join('');
  }
}
