import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { LinkedText } from './linked-text.tsx';

const html = (text: string) => renderToStaticMarkup(<LinkedText text={text} />);
const link = (href: string, label = href) =>
  `<a href="${href}" rel="nofollow ugc noopener noreferrer" class="link">${label}</a>`;

it('makes links of web addresses, without the punctuation of the sentence', () => {
  expect(html('See https://a.example/liner (and http://b.example/x).')).toBe(
    `See ${link('https://a.example/liner')} (and ${link('http://b.example/x')}).`,
  );
  expect(html('https://a.example/wiki/Foot_(prosthesis)!')).toBe(
    `${link('https://a.example/wiki/Foot_(prosthesis)')}!`,
  );
});

it.each(['javascript:alert(1)', 'https://user:secret@a.example/', 'https:// nothing', '<b>bold</b>'])(
  'leaves %s a text',
  (text) => {
    expect(html(text)).not.toContain('<a');
    expect(html(text)).not.toContain('<b>');
  },
);
