import { parse } from 'exifr';
import { expect } from 'vitest';
import { SECRET } from './files.ts';

/** Fails when a rendition reveals where, when or with which device it was made. */
export async function expectNoMetadata(rendition: Buffer): Promise<void> {
  expect(rendition.includes(SECRET)).toBe(false);
  expect(rendition.includes('<script')).toBe(false);
  expect(rendition.includes('<?php')).toBe(false);
  if (rendition.subarray(0, 4).toString('latin1') === 'RIFF') await expectNoMetadataInWebp(rendition);
  else expectNoMetadataInMp4(rendition);
}

async function expectNoMetadataInWebp(webp: Buffer): Promise<void> {
  // Nothing but the picture, up to the very last byte.
  expect(webp.readUInt32LE(4)).toBe(webp.length - 8);
  const chunks: string[] = [];
  for (let at = 12; at < webp.length; at += 8 + webp.readUInt32LE(at + 4) + (webp.readUInt32LE(at + 4) % 2)) {
    chunks.push(webp.toString('latin1', at, at + 4));
  }
  for (const chunk of chunks) expect(['VP8 ', 'VP8L', 'VP8X', 'ALPH']).toContain(chunk);
  expect(await parse(webp, true).catch(() => undefined)).toBeUndefined();
}

const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'dinf', 'edts']);
const NEEDED = new Set([
  ...CONTAINERS,
  ...[
    'ftyp',
    'mdat',
    'mvhd',
    'tkhd',
    'mdhd',
    'hdlr',
    'vmhd',
    'smhd',
    'dref',
    'stsd',
    'stts',
    'stss',
    'ctts',
    'stsc',
    'stsz',
    'stco',
    'co64',
    'elst',
    'sgpd',
    'sbgp',
    'cslg',
  ],
]);

function expectNoMetadataInMp4(mp4: Buffer): void {
  const order: string[] = [];
  const walk = (from: number, to: number) => {
    for (let at = from; at < to; ) {
      const size = mp4.readUInt32BE(at);
      const type = mp4.toString('latin1', at + 4, at + 8);
      expect(NEEDED, `box ${type}`).toContain(type);
      order.push(type);
      if (CONTAINERS.has(type)) walk(at + 8, at + size);
      at += size === 1 ? Number(mp4.readBigUInt64BE(at + 8)) : size;
    }
  };
  walk(0, mp4.length);
  expect(order.indexOf('moov')).toBeLessThan(order.indexOf('mdat'));
  // The encoder's signature is stored in messages between the frames; without it, the camera's are removed
  // too.
  expect(mp4.includes('x264')).toBe(false);
}
