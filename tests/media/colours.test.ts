import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BufferSource, Input, MP4 } from 'mediabunny';
import { AV_PIX_FMT_GBRP, Encoder, FilterAPI, Frame, Muxer, Rational } from 'node-av';
import type { FFEncoderCodec } from 'node-av/constants';
import { type Browser, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeVideo } from '../../media/video.ts';
import { findBrowser } from '../e2e/find-browser.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { saying } from './files.ts';

// Else the encoder of AV1 says at length what it does.
process.env.SVT_LOG = '1';

const folder = temporaryFolder('colours');
let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await chromium.launch(await findBrowser());
  page = await browser.newPage();
});
afterAll(() => browser?.close());
// What makes stills reads no other formats than those of images, for all of the process, which other tests share.
afterAll(() => sharp.unblock({ operation: ['VipsForeignLoad'] }));

type Colour = [number, number, number];
/** From left to right. */
const PATCHES: Colour[] = [
  [255, 0, 0],
  [0, 192, 0],
  [0, 0, 255],
  [255, 255, 255],
  [20, 20, 20],
  [224, 172, 140],
];
/** What browsers themselves are off with the blue of BT.709, and a little more. */
const TOLERANCE = 16;

interface Form {
  codec?: string;
  type?: 'mp4' | 'webm';
  size?: [number, number];
  format?: string;
  /** BT.601 in place of BT.709. */
  small?: boolean;
  full?: boolean;
  transfer?: string;
  primaries?: string;
  /** What its stream says, if not the truth. */
  says?: string;
  /** Other filters. */
  more?: string;
}

const SILENT = 'colorspace=unknown:color_primaries=unknown:color_trc=unknown:range=unknown';

/** A film of still patches, made by FFmpeg as programs and cameras make theirs. */
async function patchFilm(path: string, form: Form): Promise<Buffer> {
  const { codec = 'libx264', size = [240, 120], format = 'yuv420p', small, full, says, more } = form;
  const { primaries = 'bt709', transfer = 'bt709' } = form;
  const [width, height] = size;
  const plane = (part: 0 | 1 | 2) =>
    Buffer.alloc(
      width * height,
      Buffer.concat(PATCHES.map((colour) => Buffer.alloc(width / PATCHES.length, colour[part]))),
    );
  // Planes of green, blue and red.
  const pixels = Buffer.concat([plane(1), plane(2), plane(0)]);
  const matrix =
    /gbr|2020/.exec(format + primaries)?.[0].replace('2020', '2020_ncl') ?? (small ? '170m' : '709');
  using filters = FilterAPI.create(
    [
      'setparams=colorspace=gbr:color_primaries=bt709:color_trc=bt709:range=pc',
      // In light, so that paper is as bright as ITU-R BT.2408 says.
      ...(transfer === 'bt709' ? [] : ['zscale=t=linear', 'format=gbrpf32le']),
      `zscale=m=${matrix}:r=${full ? 'full' : 'limited'}:p=${primaries}:t=${transfer}:npl=203`,
      `format=${format}`,
      `setparams=${says ?? `color_primaries=${primaries}`}`,
      ...(more ? [more] : []),
    ].join(','),
  );
  using encoder = await Encoder.create(codec as FFEncoderCodec, { bitrate: '4M' });
  {
    await using muxer = await Muxer.open(path);
    const track = muxer.addStream(encoder);
    async function* frames() {
      for (const pts of [0n, 1n, 2n]) {
        using frame = Frame.fromVideoBuffer(pixels, {
          width,
          height,
          format: AV_PIX_FMT_GBRP,
          pts,
          timeBase: new Rational(1, 5),
        });
        yield* await filters.processAll(frame);
      }
      yield null;
    }
    for await (const packet of encoder.packets(frames())) await muxer.writePacket(packet, track);
  }
  return readFile(path);
}

/** The same film, turned by its track. */
function turned(film: Buffer): Buffer {
  const matrix = film.indexOf('tkhd') + 44;
  for (const [at, value] of [0, 0x10000, 0, -0x10000, 0].entries()) film.writeInt32BE(value, matrix + at * 4);
  return film;
}

/** What a browser shows at the middle of each patch, or nothing when it cannot play this. */
async function shown(content: Buffer, type: string, downwards: boolean): Promise<Colour[] | undefined> {
  const source = `data:${type};base64,${content.toString('base64')}`;
  return page.evaluate(
    async ({ source, type, downwards, patches }) => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      if (!canvas) throw new Error('no canvas');
      const take = (picture: CanvasImageSource, width: number, height: number) => {
        Object.assign(canvas.canvas, { width, height });
        canvas.drawImage(picture, 0, 0);
        return Array.from({ length: patches }, (_, patch) => {
          const along = (patch + 0.5) / patches;
          const [x, y] = downwards ? [0.5, along] : [along, 0.5];
          const [r = 0, g = 0, b = 0] = canvas.getImageData(x * width, y * height, 1, 1).data;
          return [r, g, b] as [number, number, number];
        });
      };
      if (type.startsWith('image')) {
        const image = new Image();
        image.src = source;
        await image.decode();
        return take(image, image.naturalWidth, image.naturalHeight);
      }
      const video = document.createElement('video');
      video.muted = true;
      video.src = source;
      const frame = new Promise((resolve) => video.requestVideoFrameCallback(resolve));
      const failed = await video.play().then(
        () => false,
        () => true,
      );
      if (failed) return undefined;
      await frame;
      return take(video, video.videoWidth, video.videoHeight);
    },
    { source, type, downwards, patches: PATCHES.length },
  );
}

const close = (one: Colour[] | undefined, other: Colour[] | undefined, tolerance = TOLERANCE): boolean =>
  one?.every((colour, patch) =>
    colour.every((part, at) => Math.abs(part - (other?.[patch]?.[at] ?? Number.NaN)) <= tolerance),
  ) === true;

const BT709 = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false };
const BT601 = { primaries: 'smpte170m', transfer: 'smpte170m', matrix: 'smpte170m', fullRange: false };
const HIGH_RANGE = { format: 'yuv420p10le', primaries: 'bt2020', codec: 'libx265' };

test.each<[string, Form, ((film: Buffer) => Buffer | Promise<Buffer>)?]>([
  ['BT.709', {}],
  ['BT.709 in full range', { full: true }],
  ['BT.601', { small: true }],
  ['BT.601 in full range', { small: true, full: true }],
  ['a small film that says nothing', { small: true, says: SILENT }],
  ['a large film that says nothing', { size: [1200, 720], says: SILENT }],
  ['what its container alone says, BT.709', { says: SILENT }, (film) => saying(film, BT709)],
  [
    'what its container alone says, BT.601 in full range',
    { small: true, full: true, says: SILENT, size: [1200, 720] },
    (film) => saying(film, { ...BT601, fullRange: true }),
  ],
  ['another word in its container', {}, (film) => saying(film, BT601)],
  ['made smaller', { size: [2400, 1200] }],
  ['made smaller, BT.601 in full range', { size: [2400, 1200], small: true, full: true }],
  ['widened', { more: 'setsar=2' }],
  [
    'widened, which its frames alone say',
    { more: 'setsar=2' },
    (film) => Buffer.from(film.toString('latin1').replace('pasp', 'free'), 'latin1'),
  ],
  ['turned, HEVC', { codec: 'libx265' }, turned],
  ['turned and made smaller', { size: [2400, 1200] }, turned],
  ['HEVC of 10 bits, BT.601', { codec: 'libx265', format: 'yuv420p10le', small: true }],
  ['H.264 of 10 bits, 4:2:2, in full range', { format: 'yuv422p10le', full: true }],
  ['H.264, 4:4:4, BT.601', { format: 'yuv444p', small: true }],
  ['red, green and blue', { format: 'gbrp,format=rgb24', codec: 'libx264rgb', full: true }],
  ['VP8', { codec: 'libvpx', type: 'webm' }],
  ['VP9', { codec: 'libvpx-vp9', type: 'webm' }],
  ['VP9, 4:4:4, in full range', { codec: 'libvpx-vp9', type: 'webm', format: 'yuv444p', full: true }],
  [
    'a large VP9 that says nothing',
    { codec: 'libvpx-vp9', type: 'webm', small: true, size: [1200, 720], says: SILENT },
  ],
  ['AV1 of 10 bits', { codec: 'libsvtav1', format: 'yuv420p10le' }],
  ['HLG', { ...HIGH_RANGE, transfer: 'arib-std-b67' }],
  ['PQ', { ...HIGH_RANGE, transfer: 'smpte2084' }],
  ['PQ in VP9', { ...HIGH_RANGE, codec: 'libvpx-vp9', type: 'webm', transfer: 'smpte2084' }],
])('has its colours in a browser, as has its still: %s', async (what, form, alter = (film) => film) => {
  const type = form.type ?? 'mp4';
  const own = join(folder, what.replaceAll(/\W/g, '-'));
  await mkdir(own);
  const path = join(own, `sent.${type}`);
  const sent = await alter(await patchFilm(path, form));
  await writeFile(path, sent);
  await makeVideo(path, own);
  const made = await readFile(join(own, 'video.mp4'));

  using input = new Input({ source: new BufferSource(made), formats: [MP4] });
  const track = await input.getPrimaryVideoTrack();
  if (form.more) expect(await track?.getDisplayWidth()).toBe(480);
  const colours = await track?.getColorSpace();
  for (const part of ['primaries', 'transfer', 'matrix', 'fullRange'] as const)
    expect(colours?.[part] ?? undefined, part).toBeDefined();

  const downwards = alter === turned;
  const film = await shown(made, 'video/mp4', downwards);
  const still = await shown(await readFile(join(own, 'poster.webp')), 'image/webp', downwards);
  // A highlight of paper is pressed together with what is brighter.
  const tolerance = form.primaries ? 40 : TOLERANCE;
  expect(film).toSatisfy((colours) => close(colours, PATCHES, tolerance));
  expect(still).toSatisfy((colours) => close(colours, film));
  const original = await shown(sent, `video/${type}`, downwards);
  // Browsers show a high dynamic range each in its own way, and not every one plays HEVC.
  if (original && !form.primaries) expect(original).toSatisfy((colours) => close(colours, film));
});
