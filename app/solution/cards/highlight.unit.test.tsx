import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Highlighted, highlightPattern } from './highlight.tsx';

function marked(text: string, search: string, marks: string[]) {
  const html = renderToStaticMarkup(
    <p>
      <Highlighted text={text} pattern={highlightPattern(search, marks)} />
    </p>,
  );
  return html
    .replace(/<mark[^>]*>/g, '[')
    .replaceAll('</mark>', ']')
    .replace(/<\/?p>/g, '');
}

describe('marking what was found', () => {
  it('marks what was typed wherever it stands, whatever its case and accents', () => {
    expect(marked('Prothèse de genou: ma PROTHESE', 'prothese', ['prothese'])).toBe(
      '[Prothèse] de genou: ma [PROTHESE]',
    );
    expect(marked('Two sockets', 'Socket', ['socket'])).toBe('Two [socket]s');
  });

  it('marks abbreviations as whole words and terms of several words', () => {
    expect(marked('Attach the BK socket below the knee', 'transtibial', ['transtibial', 'bk', 'tta'])).toBe(
      'Attach the [BK] socket below the knee',
    );
    expect(marked('A below-knee case, below  knee', 'bk', ['bk', 'below knee'])).toBe(
      'A [below-knee] case, [below  knee]',
    );
  });

  it('leaves the text as it is without a search, and takes signs for signs', () => {
    expect(marked('As it is', '', [])).toBe('As it is');
    expect(marked('a.c and abc', 'a.c', ['a.c'])).toBe('[a.c] and abc');
    expect(marked('3D &amp; more', '3d', ['3d'])).toContain('[3D]');
  });
});

describe('marking in other scripts', () => {
  it('marks parts of words without spaces as one, and as a whole what was left out of a letter', () => {
    expect(marked('轻便的上肢假肢接受腔', '上肢假肢', ['上肢', '肢假', '假肢'])).toBe(
      '轻便的[上肢假肢]接受腔',
    );
    expect(marked('كان المَرِيضُ سعيدًا', 'مريض', ['مريض'])).toBe('كان ال[مَرِيضُ] سعيدًا');
    expect(marked('A pros\u00ADthesis of 5 µm', 'prosthesis', ['prosthesis'])).toBe(
      'A [pros\u00ADthesis] of 5 µm',
    );
    expect(marked('5 µm', 'μm', ['μm'])).toBe('5 [µm]');
    expect(marked('３Ｄ Straße', 'strasse 3d', ['strasse', '3d'])).toBe('[３Ｄ] [Straße]');
    expect(marked('Протезный Йод', 'йод', ['йод'])).toBe('Протезный [Йод]');
  });
});
