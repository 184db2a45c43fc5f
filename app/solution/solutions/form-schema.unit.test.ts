import { describe, expect, it } from 'vitest';
import { addTag, addTags, emptySolution, fileProblem, imageProblem, solutionSchema } from './form-schema.ts';

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

it('an HEIC picture is refused by name, whether or not the browser knows its type', () => {
  for (const type of ['', 'image/heic'])
    expect(fileProblem({ name: 'IMG_1.HEIC', type, size: 9 })?.text).toMatch(
      /^IMG_1\.HEIC: Only JPEG, PNG, and WebP images are accepted\. This is an HEIC image/,
    );
});

it('an HEIC picture is refused by its first bytes, whatever it is called', () => {
  const bytes = (text: string) => Buffer.from(text, 'latin1');
  expect(imageProblem('IMG_1.jpg', bytes('\0\0\0\x24ftypheic\0\0\0\0mif1heic'))?.text).toMatch(
    /^IMG_1\.jpg: Only JPEG, PNG, and WebP images are accepted\. This is an HEIC image/,
  );
  expect(imageProblem('notes.jpg', bytes('not a photo'))?.text).toBe(
    'notes.jpg: Only JPEG, PNG, and WebP images are accepted.',
  );
  expect(imageProblem('IMG_1.jpg', bytes('\xff\xd8\xff\xe0'))).toBeNull();
  const webp = (flags: string) => bytes(`RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0${flags}\0\0\0`);
  expect(imageProblem('gait.webp', webp('\x02'))?.text).toMatch(/^gait\.webp: This image moves\./);
  expect(imageProblem('gait.webp', webp('\x10'))).toBeNull();
});

describe('files', () => {
  const megabyte = 1024 * 1024;
  it.each([
    ['a.jpg', 'image/jpeg', 10 * megabyte - 1, null],
    [
      'a.jpg',
      'image/jpeg',
      10 * megabyte,
      { title: 'Image Too Large', text: 'a.jpg: Images must be under 10MB.' },
    ],
    ['b.webm', 'video/webm', 50 * megabyte - 1, null],
    [
      'b.mp4',
      'video/mp4',
      50 * megabyte,
      { title: 'Video Too Large', text: 'b.mp4: Videos must be under 50MB.' },
    ],
    [
      'c.gif',
      'image/gif',
      10,
      { title: 'Invalid Image Format', text: 'c.gif: Only JPEG, PNG, and WebP images are accepted.' },
    ],
    [
      'd.mov',
      'video/quicktime',
      10,
      {
        title: 'Invalid Video Format',
        text: 'd.mov: Only MP4 and WebM videos are accepted. Change its ending to .mp4, or save it as MP4, and choose it again.',
      },
    ],
    [
      'e.pdf',
      'application/pdf',
      10,
      { title: 'Invalid Image Format', text: 'e.pdf: Only JPEG, PNG, and WebP images are accepted.' },
    ],
  ])('%s of %s and %i bytes', (name, type, size, refusal) => {
    expect(fileProblem({ name, type, size })).toEqual(refusal);
  });
});
