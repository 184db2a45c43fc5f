import sharp from 'sharp';
import { LIMITS } from '../../limits.ts';
import { sniff } from '../../sniff.ts';
import { FileProblem } from '../problem.ts';

const IMAGE = /(?<= href=")data:[^",]*,([^"]*)(?=")/g;

/** Images by what stands for them in a drawing, and how many pixels each has. */
export type Images = Map<string, number>;

/** The refusal of an image that cannot be drawn. */
export const damagedImage = () =>
  new FileProblem('An image in this SVG is damaged or too large. Replace it and choose the file again.');

/** The same drawing with images alone, without what cameras and editors write beside them. */
export async function withCleanImages(text: string): Promise<{ text: string; images: Images }> {
  const images: Images = new Map();
  const clean = new Map<string, string>();
  let pixels = 0;
  for (const [link, data = ''] of text.matchAll(IMAGE)) {
    if (clean.has(link)) continue;
    const image = await cleanImage(Buffer.from(data, 'base64'), LIMITS.imagePixels - pixels);
    pixels += image.pixels;
    images.set(image.data, image.pixels);
    clean.set(link, image.data);
  }
  return { text: text.replaceAll(IMAGE, (link) => clean.get(link) ?? ''), images };
}

async function cleanImage(bytes: Buffer, maxPixels: number) {
  try {
    if (!sniff(bytes)?.startsWith('image/')) throw new Error('it is of another type');
    const image = sharp(bytes, { limitInputPixels: Math.max(1, maxPixels), failOn: 'none' }).autoOrient();
    const isPhoto = bytes[0] === 0xff;
    const { data, info } = await (isPhoto ? image.jpeg({ quality: 90 }) : image.png()).toBuffer({
      resolveWithObject: true,
    });
    return {
      data: `data:image/${isPhoto ? 'jpeg' : 'png'};base64,${data.toString('base64')}`,
      pixels: info.width * info.height,
    };
  } catch {
    throw damagedImage();
  }
}
