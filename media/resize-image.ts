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
  const { gravity } = rendering;
  const upright = picture.autoOrient();
  const cut =
    gravity && gravity.towards !== 'sm' && resize === 'cover' && width && height
      ? cutOf(metadata.autoOrient, width, height, gravity)
      : undefined;
  const resized = cut
    ? upright.resize({ ...cut.scaled, fit: 'fill' }).extract(cut.part)
    : upright.resize({
        ...(width && { width }),
        ...(height && { height }),
        fit: FITS[resize],
        withoutEnlargement: true,
        ...(gravity?.towards === 'sm' && { position: sharp.strategy.attention }),
      });
  const { width: outputWidth, height: outputHeight } = await resized
    .toColourspace('srgb')
    .toFormat(target, target === 'png' || target === 'gif' ? {} : { quality })
    .toFile(join(folder, name));
  return { files: [name], width: outputWidth, height: outputHeight };
}

interface Size {
  width: number;
  height: number;
}

/** The size that a picture gets so that it fills both edges, without being enlarged, and the part of it that is kept. */
function cutOf(source: Size, width: number, height: number, gravity: NonNullable<Resize['gravity']>) {
  const scale = Math.min(1, Math.max(width / source.width, height / source.height));
  const scaled = {
    width: Math.max(1, Math.round(source.width * scale)),
    height: Math.max(1, Math.round(source.height * scale)),
  };
  const { towards, x, y } = gravity;
  const along = (size: number, wanted: number, offset: number, side: 'start' | 'middle' | 'end') => {
    const kept = Math.min(size, wanted);
    const room = size - kept;
    const moved = Math.abs(offset) < 1 ? offset * size : offset;
    const starts = { start: moved, middle: room / 2 + moved, end: room - moved };
    const start = towards === 'fp' ? offset * size - kept / 2 : starts[side];
    return { start: Math.round(Math.min(Math.max(start, 0), room)), kept };
  };
  const horizontal = along(scaled.width, width, x, sideOf(towards, 'we', 'ea'));
  const vertical = along(scaled.height, height, y, sideOf(towards, 'no', 'so'));
  return {
    scaled,
    part: { left: horizontal.start, top: vertical.start, width: horizontal.kept, height: vertical.kept },
  };
}

function sideOf(towards: string, start: string, end: string): 'start' | 'middle' | 'end' {
  if (towards.includes(start)) return 'start';
  return towards.includes(end) ? 'end' : 'middle';
}

function formatOf({ format }: Metadata): (typeof FORMATS)[number] {
  const supported = FORMATS.find((candidate) => candidate === format);
  if (!supported) throw new Error(`it is ${format}`);
  return supported;
}
