import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RenderedImage, Resvg } from '@resvg/resvg-js';
import type { JobResult } from '../../job.ts';
import { writeWebp } from '../../webp.ts';
import { PICTURE } from '../mesh.ts';
import { drawingTexts } from '../page-text.ts';
import { FileProblem } from '../problem.ts';
import { withShapesInClips } from './clips.ts';
import { withCleanImages } from './images.ts';
import { readDrawing } from './read-drawing.ts';
import { isSamePicture } from './same-picture.ts';
import { EDGE, lostPart, writeDrawing } from './write-drawing.ts';

const file = (name: string) => fileURLToPath(import.meta.resolve(name));
/** Arimo is as wide as Arial, for which most drawings are laid out; DejaVu has the signs that it lacks. */
const FONT = {
  loadSystemFonts: false,
  fontFiles: [
    ...['400Regular', '400Regular_Italic', '700Bold', '700Bold_Italic'].map((face) =>
      file(`@expo-google-fonts/arimo/${face}/Arimo_${face}.ttf`),
    ),
    file('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  ],
  defaultFontFamily: 'Arimo',
  sansSerifFamily: 'Arimo',
  serifFamily: 'Arimo',
  cursiveFamily: 'Arimo',
  fantasyFamily: 'Arimo',
  monospaceFamily: 'Arimo',
  defaultFontSize: 16,
};

/** The size that a drawing says. */
const SIZE = /(?<=<svg[^>]* )width="([\d.]+)(?:mm)?" height="([\d.]+)(?:mm)?"/;
/** The longer edge of the pictures that are compared, in pixels. */
const COMPARED = 800;
/** The name of what is left out where a text keeps its words and loses its letters. */
export const FONTS = 'fonts (letters have other shapes)';

/** Writes a drawing again as what it shows: its shapes and the outlines of its texts. */
export async function makeSvg(path: string, folder: string): Promise<JobResult> {
  const { words, isInPixels, leftOut, ...read } = readDrawing(await readFile(path));
  if (words.length > 0) {
    if (!canDraw(words.join('')))
      throw new FileProblem(
        'This SVG has letters or signs that cannot be drawn here. Turn its texts into paths and choose it again.',
      );
    leftOut.add('editable text').add(FONTS);
  }
  const { text, images } = await withCleanImages(read.text);
  const paths = simplified(withShapesInClips(text));
  const drawing = writeDrawing(paths, images, leftOut);
  const names = [...leftOut].sort();
  if (drawing.isEmpty)
    throw new FileProblem(
      names.length > 0
        ? `This SVG is empty without what cannot be kept (${names.join(', ')}). ${leftOut.has('hidden parts') ? 'Show what is hidden' : 'Turn it into paths, or put linked images into the file,'} and choose it again.`
        : 'This SVG is empty. Draw something in it and choose it again.',
    );
  // It is compared with what was read. The file as it came has parts beside that, which are named, and styles that the
  // library reads otherwise. Over a layer that lies far beside the sheet it ends the process.
  if (!drawing.hasFarLayers) {
    const [edges = ''] = SIZE.exec(paths) ?? [];
    const before = rendered(text, COMPARED, paths);
    const after = rendered(drawing.text.replace(SIZE, edges), COMPARED);
    if (!isSamePicture(before, after)) throw lostPart();
  }
  await writeFile(join(folder, 'file.svg'), drawing.text);
  const size = await writePicture(rendered(drawing.preview), join(folder, PICTURE));
  const facts = {
    dimensions: [drawing.width, drawing.height],
    ...(isInPixels && { sizeIf: 'at 96 pixels an inch' }),
    ...(names.length > 0 && { leftOut: names }),
  };
  return {
    files: ['file.svg', PICTURE],
    ...size,
    file: { type: 'svg', facts, pageTexts: drawingTexts(words) },
  };
}

/** Writes the picture of a drawing. */
export async function writePicture({ pixels, width, height }: RenderedImage, path: string) {
  await writeWebp({ data: pixels, width, height, channels: 4, isOpaque: true }, path, 85);
  return { width, height };
}

/** A drawing as pixels on white. @param sized another that says how large it is, in pixels or millimetres */
export function rendered(text: string, edge = EDGE, sized = text): RenderedImage {
  const [width, height] = (SIZE.exec(sized) ?? []).slice(1).map(Number) as [number, number];
  try {
    // The library ends the process over an image without pixels.
    if (!(Math.min(width, height) * EDGE >= Math.max(width, height))) throw new Error('it is a line');
    const fitTo = { mode: width < height ? 'height' : 'width', value: edge } as const;
    return new Resvg(text, { background: 'white', fitTo, font: FONT }).render();
  } catch {
    throw new FileProblem('This drawing cannot be drawn. It may be empty, too large or damaged.');
  }
}

/** The same drawing as paths, with all sizes, styles, copies and texts worked out. */
function simplified(text: string): string {
  try {
    let [named, uses] = [0, 0];
    const paths = new Resvg(text, { font: FONT })
      .toString()
      // The library forgets the names of the paints of letters, of which each is used once and in this order.
      .replaceAll(/ id=""|"url\(#\)"/g, (found) =>
        found.startsWith(' ') ? ` id=" ${named++}"` : `"url(# ${uses++})"`,
      );
    // It forgets to declare the prefix of the images in a pattern, too.
    return paths.includes(' xmlns:xlink=')
      ? paths
      : paths.replace('<svg ', '<svg xmlns:xlink="http://www.w3.org/1999/xlink" ');
  } catch (error) {
    const isSize = error instanceof Error && error.message.includes('size');
    throw new FileProblem(
      isSize
        ? 'This SVG does not say how large it is. Give it a width and a height and choose it again.'
        : 'This SVG cannot be drawn. It may be damaged: save it again as plain SVG and choose that.',
    );
  }
}

/** Whether each letter has a form in the fonts: one without would be drawn as an empty box. */
export function canDraw(words: string): boolean {
  const letters = [...new Set(words)].filter(
    (letter) => letter > 'ɏ' && /[\p{L}\p{N}\p{P}\p{S}\p{Co}]/u.test(letter),
  );
  if (letters.length === 0) return true;
  const texts = ['\u{10fffd}', ...letters].map((letter) => `<text y="20">${letter}</text>`).join('');
  const drawn = simplified(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${texts}</svg>`);
  const [none, ...forms] = [...drawn.matchAll(/ d="([^"]*)"/g)].map(([, form]) => form);
  return !forms.includes(none);
}
