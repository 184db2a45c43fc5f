import { describe, expect, it } from 'vitest';
import { type Cited, citation, citationFormats, namesIn } from './citation.ts';

const bow: Cited = {
  id: '0a1b2c3d-0000-4000-8000-000000000000',
  title: 'Violin bow adapter',
  author: 'Amara Okafor',
  version: 3,
  publishedAt: '2026-11-12T23:30:00Z',
  safetyKind: null,
  url: 'https://example.org/solutions/0a1b2c3d-0000-4000-8000-000000000000/versions/3',
};

describe('a citation', () => {
  it('names author, title, version, site, day and permanent address', () => {
    expect(citation('text', bow)).toBe(
      `Amara Okafor. Violin bow adapter. Version 3. Limb Commons; Nov 12, 2026. ${bow.url}`,
    );
    expect(citation('bibtex', bow)).toBe(
      `@misc{limb-commons-0a1b2c3d-v3,\n  author = {{Amara Okafor}},\n  title = {{Violin bow adapter}},\n  version = {3},\n  year = {2026},\n  month = nov,\n  day = {12},\n  publisher = {Limb Commons},\n  url = {${bow.url}}\n}\n`,
    );
    expect(citation('ris', bow)).toBe(
      `TY  - ELEC\r\nAU  - Amara Okafor\r\nTI  - Violin bow adapter\r\nPY  - 2026\r\nDA  - 2026/11/12/\r\nET  - Version 3\r\nPB  - Limb Commons\r\nUR  - ${bow.url}\r\nER  - \r\n`,
    );
  });

  it('of a translation names the original title, the language and who translated it, in the order of their names', () => {
    const translated = {
      ...bow,
      title: 'Adaptador',
      translated: { by: 'Inés {', into: 'Spanish', from: bow.title },
    };
    expect(citation('text', translated)).toContain(
      'Adaptador [Violin bow adapter]. Version 3. Translated into Spanish by Inés {. Limb Commons;',
    );
    expect(citation('bibtex', translated)).toContain(
      '  note = {Translated into Spanish by Inés \\textbraceleft{}},\n  origtitle = {Violin bow adapter},\n  language = {Spanish},\n',
    );
    expect(citation('ris', translated)).toContain(
      'OP  - Violin bow adapter\r\nLA  - Spanish\r\nN1  - Translated into Spanish by Inés {\r\n',
    );
    for (const { value } of citationFormats) {
      const places = namesIn(value, translated).map((name) => citation(value, translated).indexOf(name));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places[0]).toBeGreaterThanOrEqual(0);
    }
  });

  it('says beside the title what readers are warned of, before who translated it', () => {
    const recalled = { ...bow, safetyKind: 'recall' };
    expect(citation('text', recalled)).toContain(
      'Violin bow adapter. Version 3. Safety notice: Do not use. Limb Commons;',
    );
    expect(citation('bibtex', recalled)).toContain('  title = {{Violin bow adapter}},\n');
    expect(citation('bibtex', recalled)).toContain('  note = {Safety notice: Do not use},\n');
    expect(citation('ris', recalled)).toContain('N1  - Safety notice: Do not use\r\n');
    const translated = { by: 'Inés', into: 'Spanish', from: 'Bow' };
    const both = { ...bow, safetyKind: 'part_caution', translated };
    expect(citation('bibtex', both)).toContain(
      '  note = {Safety notice: Use a part of it with caution. Translated into Spanish by Inés},\n',
    );
    expect(citation('ris', both)).toContain(
      'N1  - Safety notice: Use a part of it with caution\r\nN1  - Translated into Spanish by Inés\r\n',
    );
  });

  it.each(citationFormats)(
    'holds the names whose direction is their own, author first, as $label',
    ({ value }) => {
      const cited = { ...bow, author: 'נועה & לוי', title: 'מתאם_לקשת' };
      const [author = '', title = ''] = namesIn(value, cited);
      const text = citation(value, cited);
      expect(text.indexOf(author)).toBeGreaterThanOrEqual(0);
      expect(text.indexOf(title)).toBeGreaterThan(text.indexOf(author));
    },
  );

  it.each([
    ['braces', 'A } socket { of }} braces'],
    ['backslashes', 'C:\\socket\\write18{rm}'],
    ['line breaks', 'One line\r\nTY  - BOOK\u2028ER  - \u0085and more'],
    ['signs of LaTeX', '100% of $5 & #1_a ~ ^'],
    ['text that turns the direction', 'Socket \u202Etekcos\u2066 plain'],
  ])('of a title with %s has the fields of a plain one', (_what, title) => {
    const hostile = { ...bow, title, author: title };
    for (const format of ['text', 'bibtex', 'ris'] as const) {
      const [text, plain] = [citation(format, hostile), citation(format, bow)];
      expect(text.split(/[\r\n\u0085\u2028\u2029]+/).length, format).toBe(plain.split(/[\r\n]+/).length);
      expect(text, format).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
    }
    const bibtex = citation('bibtex', hostile);
    let depth = 0;
    const depths = [...bibtex].map((sign) => {
      depth += sign === '{' ? 1 : sign === '}' ? -1 : 0;
      return depth;
    });
    // The entry ends with its last brace and not before.
    expect(depths.indexOf(0, bibtex.indexOf('{'))).toBe(bibtex.lastIndexOf('}'));
    expect(bibtex).not.toMatch(/\\write18|[^\\][%$&#_](?!versions)/);
  });

  it('keeps what is written from right to left', () => {
    const title = 'محول قوس الكمان';
    for (const format of ['text', 'bibtex', 'ris'] as const)
      expect(citation(format, { ...bow, title })).toContain(title);
  });
});
