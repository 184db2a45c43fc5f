import { join } from 'node:path';
import sharp, { type Metadata } from 'sharp';
import type { JobResult, Resize } from './job.ts';
import { LIMITS } from './limits.ts';

// Only the formats rendered here can be decoded, whatever a file pretends to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});
sharp.cache(false);

const FITS = { cover: 'cover', contain: 'inside', fill: 'fill' } as const;
const FORMATS = ['jpeg', 'png', 'webp', 'gif'] as const;

/** A picture at another size, upright, only its first frame, without any of its metadata. */
export async function render(path: string, folder: string, rendering: Resize): Promise<JobResult> {
  const { width, height, resize, quality, format } = rendering;
  const picture = sharp(path, { limitInputPixels: LIMITS.imagePixels, failOn: 'error' });
  const metadata = await picture.metadata();
  if ((metadata.pages ?? 1) > LIMITS.frames) throw new Error(`it has ${metadata.pages} frames`);
  const target = format === 'webp' ? 'webp' : formatOf(metadata);
  const name = `rendition.${target}`;
  const { width: outputWidth, height: outputHeight } = await picture
    .autoOrient()
    .resize({
      ...(width && { width }),
      ...(height && { height }),
      fit: FITS[resize],
      withoutEnlargement: true,
    })
    .toColourspace('srgb')
    .toFormat(target, target === 'png' || target === 'gif' ? {} : { quality })
    .toFile(join(folder, name));
  return { files: [name], width: outputWidth, height: outputHeight };
}

function formatOf({ format }: Metadata): (typeof FORMATS)[number] {
  const supported = FORMATS.find((candidate) => candidate === format);
  if (!supported) throw new Error(`it is ${format}`);
  return supported;
}
