import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { RichText } from './rich-text.tsx';

const render = (text: string, mentions: string[] = []) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <RichText text={text} mentions={mentions} />
    </MemoryRouter>,
  ).replaceAll(/ class="[^"]*"/g, '');

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
