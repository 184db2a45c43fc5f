import { describe, expect, it } from 'vitest';
import { embedOf, hiddenHost, safeLink } from './links.ts';

const id = 'dQw4w9WgXcQ';

describe('embedOf', () => {
  it.each([
    [`https://www.youtube.com/watch?v=${id}`, 0],
    [`http://youtube.com/watch?v=${id}&list=PL1`, 0],
    [`https://m.youtube.com/watch?feature=share&v=${id}&t=90`, 90],
    [`https://youtu.be/${id}`, 0],
    [`https://youtu.be/${id}?t=1m30s`, 90],
    [`https://youtu.be/${id}?si=abc&t=1h2m3s`, 3723],
    [`https://www.youtube.com/embed/${id}?start=42`, 42],
    [`https://www.youtube-nocookie.com/embed/${id}`, 0],
    [`https://www.youtube.com/shorts/${id}/`, 0],
    [`HTTPS://WWW.YOUTUBE.COM/watch?v=${id}`, 0],
    [`https://youtu.be/${id}?t=soon`, 0],
  ])('knows the video %s', (href, start) => {
    expect(embedOf(href)).toEqual({ kind: 'video', id, start });
  });

  it.each([
    ['https://www.instagram.com/p/Cabc123_-x/', 'post'],
    ['https://instagram.com/reel/Cabc123/?igsh=1', 'reel'],
    ['https://www.instagram.com/clinic.leeds/p/Cabc123/', 'post'],
  ])('knows %s', (href, what) => {
    expect(embedOf(href)).toEqual({ kind: 'instagram', what });
  });

  it.each([
    `https://youtube.com.evil.org/watch?v=${id}`,
    `https://evil.org/youtube.com/watch?v=${id}`,
    `https://evil.org/?u=https://youtu.be/${id}`,
    `https://youtu.be@evil.org/${id}`,
    `https://youtu.be:x@evil.org/${id}`,
    `https://user@youtu.be/${id}`,
    `https://youtu.be:8443/${id}`,
    `https://youtu.be./${id}`,
    `https://notyoutube.com/watch?v=${id}`,
    `https://www.youtube.com.br/watch?v=${id}`,
    `https://youtubе.com/watch?v=${id}`,
    `https://xn--youtub-4of.com/watch?v=${id}`,
    `https://youtu.be\\@evil.org/${id}`,
    `https:\\\\youtu.be/${id}`,
    `https:youtu.be/${id}`,
    `https:///youtu.be/${id}`,
    `//youtu.be/${id}`,
    `ftp://youtu.be/${id}`,
    `javascript:alert('https://youtu.be/${id}')`,
    `data:text/html,https://youtu.be/${id}`,
    `https://you\ttu.be/${id}`,
    `https://youtu.be/${id}\n`,
    `https://you\u200Btu.be/${id}`,
    `https://youtu.be/${id}x`,
    `https://youtu.be/${id.slice(1)}`,
    `https://youtu.be/../${id}/x`,
    `https://youtu.be/"onload="a`,
    'https://www.youtube.com/watch?v=',
    `https://www.youtube.com/watch?v=${id}&v=aaaaaaaaaaa`,
    `https://www.youtube.com/redirect?q=${id}`,
    `https://www.youtube.com/embed/${id}/x`,
    'https://www.youtube.com/embed/videoseries?list=PL1',
    'https://www.instagram.com/someone/',
    'https://www.instagram.com/p/',
    'https://www.instagram.com/stories/someone/123456/',
    'https://instagram.com.evil.org/p/Cabc123/',
    'https://evil.org/p/Cabc123/',
    'https://www.instagram.com@evil.org/p/Cabc123/',
    '',
    'not a link',
  ])('takes %s for nothing more than it is', (href) => {
    expect(embedOf(href)).toBeUndefined();
  });
});

describe('safeLink', () => {
  it.each([
    ['https://www.nhs.uk/conditions', 'https://www.nhs.uk/conditions'],
    ['http://example.org', 'http://example.org/'],
    ['https://youtube.com.evil.org/x', 'https://youtube.com.evil.org/x'],
    ['/solutions/1?x=2#y', '/solutions/1?x=2#y'],
    ['mailto:a@clinic.example', 'mailto:a@clinic.example'],
  ])('lets %s lead where it says', (href, to) => {
    expect(safeLink(href)).toBe(to);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.example/1',
    '//evil.org',
    '/\\evil.org',
    '\\\\evil.org',
    '/\t/evil.org',
    'https://nhs.uk@evil.org',
    'https://nhs.uk%40evil.org@evil.org/',
    'https:evil.org',
    'mailto:a@b.example?body=x',
    'relative/path',
    'https://',
    'https://[::1',
  ])('leaves %s text', (href) => {
    expect(safeLink(href)).toBeUndefined();
  });
});

describe('hiddenHost', () => {
  it('tells where a link leads when its text says otherwise', () => {
    expect(hiddenHost('https://nhs.uk/help', 'https://evil.org/')).toBe('evil.org');
    expect(hiddenHost('see www.nhs.uk', 'https://nhs.uk.evil.org/')).toBe('nhs.uk.evil.org');
    expect(hiddenHost('https://youtubе.com/', 'https://youtubе.com/')).toMatch(/^xn--/);
  });

  it('is silent when it does not', () => {
    expect(hiddenHost('www.nhs.uk', 'https://nhs.uk/x')).toBeUndefined();
    expect(hiddenHost('their drawing, e.g. this', 'https://example.org/')).toBeUndefined();
    expect(hiddenHost('a@clinic.example', 'mailto:a@clinic.example')).toBeUndefined();
  });
});
