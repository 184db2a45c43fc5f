import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, it } from 'vitest';
import { hostileTexts, UNITS } from '../../../tests/hostile-texts.ts';
import { formattingProblem } from './formatting.ts';
import { RichTextBody } from './rich-text-body.tsx';

const render = (text: string, mentions: string[] = []) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <RichTextBody text={text} language="en" mentions={mentions} />
    </MemoryRouter>,
  ).replaceAll(/ (class|dir|lang)="[^"]*"/g, '');

it('keeps line breaks, lists, emphasis, code, quotes and links', () => {
  expect(
    render('one\ntwo **three** _four_ `five`\n\n- a\n- b\n\n> said\n\n```\nx = 1\n```\nhttps://www.nhs.uk/'),
  ).toBe(
    '<div><p>one<br/>\ntwo <strong>three</strong> <em>four</em> <code>five</code></p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<blockquote>\n<p>said</p>\n</blockquote>\n<pre tabindex="0"><code>x = 1\n</code></pre>\n<p><a href="https://www.nhs.uk/" rel="nofollow ugc noopener noreferrer">https://www.nhs.uk/</a></p></div>',
  );
});

it.each([
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
  ['# 5 mm of play', '# 5 mm of play'],
  ['---', '---'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', '| a | b |<br/>\n|---|---|<br/>\n| 1 | 2 |'],
  ['    indented', 'indented'],
  ['[^1]: note', '[^1]: note'],
  ['[x](javascript:alert(1))', 'x'],
  ['[x](data:text/html,1)', 'x'],
  ['[x](//evil.org)', 'x'],
  ['[x](https://nhs.uk@evil.org/)', 'x'],
  ['~~not~~ and ~50 N~', '<del>not</del> and ~50 N~'],
])('shows %s as harmless text', (text, html) => {
  expect(render(text)).toBe(`<div><p>${html}</p></div>`);
});

it('shows no picture, and says where a link leads that pretends to lead elsewhere', () => {
  expect(render('![face](https://a.example/face.jpg)')).not.toContain('<img');
  expect(render('[https://nhs.uk](https://evil.org/)')).toContain('</a> (evil.org)');
});

it('links members who exist, outside of code and addresses', () => {
  const html = render('@Ruth.Calloway, @nobody.here, `@ruth.calloway` and a@ruth.calloway.', [
    'ruth.calloway',
  ]);
  expect(html.match(/href="\/members\/[^"]+"/g)).toEqual(['href="/members/Ruth.Calloway"']);
});

const video = 'https://youtu.be/dQw4w9WgXcQ';

it('puts a player in the place of a video on a line of its own, and after a sentence with one', () => {
  const alone = render(`Before\n${video}\nAfter`);
  expect(alone).toMatch(/^<div><p>Before<\/p>.*Play video.*<p>After<\/p><\/div>$/s);
  expect(alone).not.toContain('<iframe');
  const within = render(`Look at ${video} for the cord.`);
  expect(within).toMatch(
    /<p>Look at <a href="https:\/\/youtu.be\/dQw4w9WgXcQ".*for the cord\.<\/p>.*Play video/s,
  );
});

it('shows a card for a post, and nothing of the kind in quotes or for look-alikes', () => {
  expect(render('https://www.instagram.com/reel/Cabc123/')).toContain('Instagram reel');
  expect(render(`> ${video}`)).not.toContain('Play video');
  expect(render('https://youtube.com.evil.org/watch?v=dQw4w9WgXcQ')).not.toContain('Play video');
});

it('links addresses of the web and of people, also after a bracket and with signs in them', () => {
  const html = render(
    '[see HTTPS://x.org/a_b_c*d* and www.nhs.uk, or write to jo_b@nhs.uk and mailto:a@b.uk (ahttp://no.uk)',
  );
  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
    'https://x.org/a_b_c',
    'http://www.nhs.uk/',
    'mailto:jo_b@nhs.uk',
    'mailto:a@b.uk',
  ]);
});

it('shows a text with more formatting than can be written as it was typed', () => {
  const deep = `${'- '.repeat(4990)}a\n*b*`;
  expect(formattingProblem(deep)).toBe('Please nest lists and quotes less deeply');
  expect(render(deep)).toBe(`<p>${deep}</p>`);
  const much = '*a_'.repeat(3300);
  expect(formattingProblem(much)).toBe('Please use fewer lists, links and other formatting');
  expect(render(much)).toBe(`<p>${much}</p>`);
});

describe('at the longest, a text', () => {
  const LENGTH = 10_000;
  const dense =
    'We tried the **pin lock** first, then a _suction_ liner at 12 mm.\n\n- 3 mm of play (before)\n- none after, see https://www.nhs.uk/a\n\n> That fits what we saw.\n\n'
      .repeat(60)
      .slice(0, LENGTH);
  const cpu = (text: string) => {
    const before = process.cpuUsage();
    render(text, ['author.one']);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  let usual = 0;
  /**
   * The parser's work as a multiple of that for the densest text that people write; where that seems high,
   * the best of three tries.
   */
  const work = (text: string) => {
    usual ||= Math.min(cpu(dense), cpu(dense), cpu(dense));
    let times = cpu(text) / usual;
    for (let tries = 0; tries < 2 && times > MOST; tries++) times = Math.min(times, cpu(text) / cpu(dense));
    return times;
  };
  const MOST = 8;
  /** A repeated mark as often as a text may hold it, and words for the rest. */
  const writable = (text: string) => {
    let [fits, beyond] = [0, text.length + 1];
    while (beyond - fits > 1) {
      const middle = Math.floor((fits + beyond) / 2);
      if (formattingProblem(text.slice(0, middle))) beyond = middle;
      else fits = middle;
    }
    return text.slice(0, fits) + ' a'.repeat((LENGTH - fits) / 2);
  };

  it('of a dense case report is formatted', () => {
    expect(formattingProblem(dense)).toBeUndefined();
    expect(render(dense)).toContain('<strong>pin lock</strong>');
  });

  it('is rendered in bounded work, however hostile', { tags: 'whole' }, () => {
    const texts = new Map(
      hostileTexts(LENGTH).flatMap(([name, text]) => [
        [text, name],
        [writable(text), `${name}, as far as it may be written`],
      ]),
    );
    const slow = [...texts]
      .map(([text, name]) => [name, work(text)] as const)
      .filter(([, times]) => times > MOST);
    expect(slow).toEqual([]);
  });

  it('is so in any mixture of markers', () => {
    const mixture = fc
      .array(fc.tuple(fc.constantFrom(...UNITS), fc.integer({ min: 1, max: 400 })), {
        minLength: 1,
        maxLength: 12,
      })
      .chain((runs) => {
        const piece = runs.map(([unit, times]) => unit.repeat(times)).join('');
        return fc.constantFrom(
          piece.slice(0, LENGTH),
          piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH),
        );
      });
    fc.assert(
      fc.property(mixture, (text) => {
        expect(work(writable(text))).toBeLessThanOrEqual(MOST);
      }),
      { numRuns: 50 },
    );
  });
});
