import { describe, expect, it } from 'vitest';
import { addTag, addTags, emptySolution, judgeMedia, solutionSchema } from './form-schema.ts';

const good = {
  ...emptySolution,
  title: 'Ultralight transtibial socket',
  description: 'Two-layer carbon lamination over a flexible inner of 4 mm silicone.',
  functionInMind: 'Walking',
  amputationLevel: 'Transtibial (Below Knee)',
  prosthesisType: 'Passive',
  costRange: 'Mid-range ($500-$5000)',
  ageGroup: ['Adults'],
  consent: 'patient_written',
};

describe('the submission form', () => {
  it('takes a solution without the optional answers', () => {
    expect(solutionSchema.safeParse(good).success).toBe(true);
  });

  it('says everything that is missing in the order of the page', () => {
    const result = solutionSchema.safeParse(emptySolution);
    expect(result.error?.issues.map(({ message }) => message)).toEqual([
      'Title must be at least 10 characters',
      'Description must be at least 50 characters',
      'Please select a function',
      'Please select amputation level',
      'Please select prosthesis type',
      'Please select cost range',
      'Please select at least one age group',
      'Please choose a consent statement',
    ]);
  });

  it.each([
    ['title', 'x'.repeat(9)],
    ['title', `${'x'.repeat(9)}${' '.repeat(20)}`],
    ['description', 'x'.repeat(49)],
    ['functionInMind', 'Flying'],
    ['costRange', 'x'],
  ])('refuses %s %j', (field, value) => {
    const result = solutionSchema.safeParse({ ...good, [field]: value });
    expect(result.error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });

  it('takes exactly the shortest title and description', () => {
    expect(
      solutionSchema.safeParse({ ...good, title: 'x'.repeat(10), description: 'x'.repeat(50) }).success,
    ).toBe(true);
  });
});

describe('tags', () => {
  it('are trimmed, and neither empty nor twice', () => {
    expect(addTag([], '  pin lock ')).toEqual(['pin lock']);
    expect(addTag(['pin lock'], '   ')).toEqual(['pin lock']);
    expect(addTag(['pin lock'], 'pin lock')).toEqual(['pin lock']);
  });
});

it('tags that are pasted are several', () => {
  expect(addTags(['a'], 'pin lock, a,\n running ,')).toEqual(['a', 'pin lock', 'running']);
});

describe('files', () => {
  const megabyte = 1024 * 1024;
  const [jpeg, mp4, webm] = ['\xff\xd8\xff\xe0', '\0\0\0\x20ftypisom', '\x1a\x45\xdf\xa3\x42\x82\x84webm'];
  const [heic, quickTime] = ['\0\0\0\x24ftypheic\0\0\0\0mif1heic', '\0\0\0\x14ftypqt  \0\0\0\0'];
  const webp = (flags: string) => `RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0${flags}\0\0\0`;
  const judged = (name: string, type: string, begins: string, size = 10) => {
    const { kind, problem } = judgeMedia({ name, type, size }, Buffer.from(begins, 'latin1'));
    return problem ? `${problem.title} / ${problem.text}` : kind;
  };

  it.each([
    ['IMG_1.HEIC', 'image/heic'],
    ['IMG_1.HEIC', ''],
    ['scan.gif', 'image/gif'],
    ['scan.tif', 'image/tiff'],
    ['a.jpg', 'image/jpg'],
    ['a.jpg', 'image/pjpeg'],
    ['a.mp4', 'video/mp4'],
  ])('%s of type "%s" that is a JPEG is an image', (name, type) => {
    expect(judged(name, type, jpeg)).toBe('image');
    // It is sent as what it is.
    expect(judgeMedia({ name, type, size: 4 }, Buffer.from(jpeg, 'latin1')).type).toBe('image/jpeg');
  });

  it.each([
    ['a.webm', '', webm],
    ['gait.jpg', 'image/jpeg', mp4],
    ['gait.mov', 'video/quicktime', mp4],
    ['renamed.mp4', 'video/mp4', quickTime],
  ])('%s of type "%s" that is an MP4 or WebM is a video', (name, type, begins) => {
    expect(judged(name, type, begins)).toBe('video');
  });

  it.each([
    [
      'c.gif',
      'image/gif',
      'GIF89a',
      'Invalid Image Format / c.gif: Only JPEG, PNG, and WebP images are accepted.',
    ],
    [
      'notes.jpg',
      'image/jpeg',
      'not a photo',
      'Invalid Image Format / notes.jpg: Only JPEG, PNG, and WebP images are accepted.',
    ],
    [
      'IMG_1.jpg',
      'image/jpeg',
      heic,
      'Invalid Image Format / IMG_1.jpg: Only JPEG, PNG, and WebP images are accepted. This is an HEIC image. Save it as JPEG and choose it again.',
    ],
    [
      'd.mov',
      'video/quicktime',
      quickTime,
      'Invalid Video Format / d.mov: Only MP4 and WebM videos are accepted. This is a QuickTime movie. Save it as MP4 and choose it again.',
    ],
    ['d.avi', '', 'RIFF', 'Invalid Video Format / d.avi: Only MP4 and WebM videos are accepted.'],
    [
      'e.pdf',
      'application/pdf',
      '%PDF-1.7',
      'Invalid Image Format / e.pdf: Only JPEG, PNG, and WebP images are accepted.',
    ],
    [
      'gait.webp',
      'image/webp',
      webp('\x02'),
      'Invalid Image Format / gait.webp: This image moves. Save it as an MP4 video, or the part that shows it as a still image, and choose that.',
    ],
    ['gait.webp', 'image/webp', webp('\x10'), 'image'],
  ])('%s of type "%s"', (name, type, begins, says) => {
    expect(judged(name, type, begins)).toBe(says);
  });

  it('an empty file is said to be empty, whatever it is called', () => {
    for (const name of ['a.jpg', 'a.mp4', 'a'])
      expect(judged(name, '', '', 0)).toBe(`Empty File / ${name}: This file is empty. Choose another one.`);
  });

  it.each([
    ['a.jpg', 'image/jpeg', jpeg, 10 * megabyte - 1, 'image'],
    ['a.jpg', 'image/jpeg', jpeg, 10 * megabyte, 'Image Too Large / a.jpg: Images must be under 10MB.'],
    ['a.png', 'image/png', '\0', 10 * megabyte, 'Image Too Large / a.png: Images must be under 10MB.'],
    ['b.webm', 'video/webm', webm, 50 * megabyte - 1, 'video'],
    ['b.mp4', 'video/mp4', mp4, 50 * megabyte, 'Video Too Large / b.mp4: Videos must be under 50MB.'],
  ])('%s of %s with these bytes: %i', (name, type, begins, size, says) => {
    expect(judged(name, type, begins, size)).toBe(says);
  });
});
