import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AudioSampleSink, BufferSource, EncodedPacketSink, FilePathSource, Input, MP4 } from 'mediabunny';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ORDINARY } from '../../media/colours.ts';
import { pictureOnly } from '../../media/h264.ts';
import { createMedia, type Media } from '../../media/workers.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { expectNoMetadata } from './expect-no-metadata.ts';
import {
  cutAtStart,
  encrypted,
  frameBomb,
  phoneFilm,
  phonePicture,
  pixelBomb,
  pngChunk,
  saying,
  withGapInSound,
  withoutSize,
} from './files.ts';
import { LIMITS_IN_TESTS, turns } from './make-build-file.ts';

let media: Media;
const folder = temporaryFolder('media');
beforeAll(() => {
  // The time limit of a file is tried in workers.test.ts.
  media = createMedia(folder, { turns, log: () => {}, limits: LIMITS_IN_TESTS });
});
afterAll(() => media.close());

async function make(content: Buffer, what: 'images' | 'avatar' | 'logo' | 'video') {
  const own = await mkdtemp(join(folder, 'job-'));
  const path = join(own, 'sent');
  await writeFile(path, content);
  const kind = what === 'video' ? 'video' : 'image';
  const result = await media.process(
    { kind, name: 'x.file', path, folder: own, discard: async () => {} },
    what,
    'a member',
  );
  const files = await Promise.all(result.files.map((name) => readFile(join(own, name))));
  expect((await readdir(own)).sort()).toEqual(['sent', ...result.files].sort());
  return { ...result, files };
}

const pixel = async (picture: Buffer, x: number, y: number) => [
  ...(await sharp(picture).extract({ left: x, top: y, width: 1, height: 1 }).removeAlpha().raw().toBuffer()),
];

const refusal = (message: RegExp) =>
  expect.objectContaining({ status: 422, message: expect.stringMatching(message) });

describe('pictures', () => {
  test.each(['jpeg', 'png', 'webp'] as const)(
    '%s: three sizes, upright, without a word about themselves',
    async (format) => {
      const { files, width, height } = await make(await phonePicture(format, 2400, 1600), 'images');
      expect([width, height]).toEqual([1333, 2000]);
      const sizes = await Promise.all(files.map(async (file) => sharp(file).metadata()));
      expect(sizes.map((size) => [size.format, size.width, size.height])).toEqual([
        ['webp', 1333, 2000],
        ['webp', 640, 960],
        ['webp', 213, 320],
      ]);
      for (const [index, file] of files.entries()) {
        await expectNoMetadata(file);
        expect(sizes[index]).not.toMatchObject({ exif: expect.anything() });
        const [red = 0, green = 0, blue = 0] = await pixel(file, 10, 10);
        expect(red).toBeGreaterThan(180);
        expect(Math.max(green, blue)).toBeLessThan(80);
      }
    },
  );

  test('a small picture is not enlarged', async () => {
    const { files } = await make(await phonePicture('png', 240, 160), 'images');
    for (const file of files) expect(await sharp(file).metadata()).toMatchObject({ width: 160, height: 240 });
  });

  test('transparency stays', async () => {
    const glass = await sharp({
      create: { width: 64, height: 64, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } },
    })
      .png()
      .toBuffer();
    const { files } = await make(glass, 'images');
    for (const file of files) {
      expect((await sharp(file).metadata()).hasAlpha).toBe(true);
      await expectNoMetadata(file);
    }
  });

  test('thin lines of a sheet keep their colours', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `<path d="M${at * 9 + 4.5} 0V300" stroke="#d00"/>`);
    const sheet = `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="300"><rect width="360" height="300" fill="#fff"/>${lines.join('')}</svg>`;
    const [full] = (await make(await sharp(Buffer.from(sheet)).png().toBuffer(), 'images')).files;
    if (!full) throw new Error('a rendition is missing');
    expect(await pixel(full, 4, 150)).toEqual([221, 0, 0]);
    expect(await pixel(full, 8, 150)).toEqual([255, 255, 255]);
  });

  test('an avatar is a small square', async () => {
    const { files } = await make(await phonePicture('jpeg'), 'avatar');
    const [avatar] = files;
    if (!avatar) throw new Error('no avatar');
    expect(await sharp(avatar).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
    await expectNoMetadata(avatar);
  });

  test('a logo is a square around the whole picture, on nothing', async () => {
    const { files } = await make(await phonePicture('jpeg'), 'logo');
    const [logo] = files;
    if (!logo) throw new Error('no logo');
    expect(await sharp(logo).metadata()).toMatchObject({
      format: 'webp',
      width: 512,
      height: 512,
      hasAlpha: true,
    });
    const opacity = await sharp(logo).extractChannel('alpha').raw().toBuffer();
    expect([opacity[256 * 512], opacity[256]]).toEqual([0, 255]);
    await expectNoMetadata(logo);
  });

  test.each<[string, () => Buffer | Promise<Buffer>, RegExp?]>([
    ['too many pixels', pixelBomb, /289 megapixels/],
    ['too many frames', () => frameBomb(10_000), /This image moves\./],
    ['an animation of a few frames', () => frameBomb(3), /This image moves\./],
    [
      'an animated PNG',
      async () => {
        const still = await phonePicture('png');
        const picture = still.indexOf('IDAT') - 4;
        const control = pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]));
        return Buffer.concat([still.subarray(0, picture), control, still.subarray(picture)]);
      },
      /This image moves\./,
    ],
    ['cut off', async () => (await phonePicture('jpeg')).subarray(0, 3000), /cut off/],
    ['cut off PNG', async () => (await phonePicture('png')).subarray(0, -900), /cut off/],
    [
      'another format behind a JPEG signature',
      async () =>
        Buffer.concat([
          Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
          await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
            .tiff()
            .toBuffer(),
        ]),
      /cut off or damaged/,
    ],
    [
      'TIFF',
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
          .tiff()
          .toBuffer(),
    ],
    [
      'GIF',
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
          .gif()
          .toBuffer(),
    ],
    [
      'SVG',
      async () =>
        Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>',
        ),
    ],
    ['nothing', async () => Buffer.alloc(0)],
  ])('refuses %s', async (_what, content, reason = /^x\.file: This image cannot be read/) => {
    const bytes = await content();
    await expect(make(bytes, 'images')).rejects.toEqual(refusal(reason));
    expect((await make(await phonePicture('jpeg', 60, 40), 'images')).files).toHaveLength(3);
  });
});

describe('films', () => {
  async function facts(film: Buffer) {
    const path = join(folder, `facts-${Math.random().toString(36).slice(2)}.mp4`);
    await writeFile(path, film);
    using input = new Input({ source: new FilePathSource(path), formats: [MP4] });
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    return {
      video: await video?.getCodec(),
      audio: (await audio?.getCodec()) ?? null,
      size: [await video?.getDisplayWidth(), await video?.getDisplayHeight()],
      rotation: await video?.getRotation(),
      tracks: (await input.getTracks()).length,
      name: await video?.getName(),
    };
  }

  /** The slices of the first frame, without the messages that cameras put between them. */
  async function firstFrame(film: Buffer) {
    using input = new Input({ source: new BufferSource(film), formats: [MP4] });
    const video = await input.getPrimaryVideoTrack();
    const packet = video && (await new EncodedPacketSink(video).getFirstPacket());
    if (!packet) throw new Error('the film has no picture');
    return Buffer.from(pictureOnly(packet.data, 4, ORDINARY)).toString('base64');
  }

  test.each<[string, Parameters<typeof phoneFilm>[0] & object, number[]]>([
    ['an MP4 that plays everywhere', {}, [320, 180]],
    ['without sound', { sound: false }, [320, 180]],
    ['WebM', { format: 'webm' }, [320, 180]],
    ['larger than 1080p', { width: 2560, height: 1440, times: [0, 0.1, 0.2], sound: false }, [1920, 1080]],
    ['with odd edges', { width: 322, height: 182, format: 'webm', sound: false }, [322, 182]],
  ])('%s', async (_what, film, size) => {
    const result = await make(await phoneFilm(film), 'video');
    const [video, poster] = result.files;
    if (!video || !poster) throw new Error('a rendition is missing');
    await expectNoMetadata(video);
    await expectNoMetadata(poster);
    expect([result.width, result.height]).toEqual(size);
    expect(result.duration).toBeGreaterThan(0.2);
    expect(await facts(video)).toEqual({
      video: 'avc',
      audio: film.sound === false ? null : 'aac',
      size,
      rotation: 0,
      tracks: film.sound === false ? 1 : 2,
      name: null,
    });
    const still = await sharp(poster).metadata();
    expect(Math.max(still.width, still.height)).toBeLessThanOrEqual(960);
  });

  // The levels of white paper after ITU-R BT.2408, which would be a grey if they were shown as they are.
  test.each([
    ['hlg', 191],
    ['pq', 148],
  ] as const)('white paper in %s is white on an ordinary screen', async (transfer, grey) => {
    const film = await saying(await phoneFilm({ grey }), {
      primaries: 'bt2020',
      transfer,
      matrix: 'bt2020-ncl',
      fullRange: false,
    });
    const [video, poster] = (await make(film, 'video')).files;
    if (!video || !poster) throw new Error('a rendition is missing');
    using input = new Input({ source: new BufferSource(video), formats: [MP4] });
    expect(await (await input.getPrimaryVideoTrack())?.hasHighDynamicRange()).toBe(false);
    for (const part of await pixel(poster, 160, 90)) expect(part).toBeGreaterThan(215);
  });

  test('held sideways: keeps its frames and is shown upright, as is its still', {
    tags: 'whole',
  }, async () => {
    const film = await phoneFilm({ rotation: 90 });
    const result = await make(film, 'video');
    const [video, poster] = result.files;
    if (!video || !poster) throw new Error('a rendition is missing');
    expect([result.width, result.height]).toEqual([180, 320]);
    expect(await facts(video)).toMatchObject({ size: [180, 320], rotation: 90 });
    expect(await firstFrame(video)).toEqual(await firstFrame(film));
    expect(await sharp(poster).metadata()).toMatchObject({ width: 180, height: 320 });
    // Turned clockwise, the stored left edge is the upper one.
    const [red = 0] = await pixel(poster, 90, 20);
    const [below = 255] = await pixel(poster, 90, 300);
    expect(red).toBeGreaterThan(150);
    expect(below).toBeLessThan(90);
    await expectNoMetadata(video);
    await expectNoMetadata(poster);
  });

  test.each([
    [0.1, false],
    [0.1, true],
    [400, true],
  ])('is silent for %d s in which a browser recorded no sound, stereo: %s', async (seconds, stereo) => {
    const film = await withGapInSound(await phoneFilm({ format: 'webm', stereo }), seconds);
    const [video] = (await make(film, 'video')).files;
    if (!video) throw new Error('no rendition');
    using input = new Input({ source: new BufferSource(video), formats: [MP4] });
    const sound = await input.getPrimaryAudioTrack();
    if (!sound) throw new Error('no sound');
    expect(await sound.computeDuration()).toBeCloseTo(1 + seconds, 0);
    expect(await sound.getNumberOfChannels()).toBe(stereo ? 2 : 1);
    const sink = new AudioSampleSink(sound);
    const loudness = async (at: number) => {
      using sample = await sink.getSample(at);
      if (!sample) throw new Error('no sound at this moment');
      const levels = new Float32Array(sample.numberOfFrames);
      sample.copyTo(levels, { planeIndex: 0, format: 'f32-planar' });
      return Math.max(...levels);
    };
    expect(await loudness(0.4)).toBeGreaterThan(0.15);
    expect(await loudness(0.5 + seconds * 0.6)).toBeLessThan(0.05);
    expect(await loudness(0.7 + seconds)).toBeGreaterThan(0.15);
  });

  test('of 120 frames a second half are kept, and of 60 all, however roughly they are timed', async () => {
    for (const [rate, kept] of [
      [120, 0.5],
      [60, 1],
    ] as const) {
      const times = Array.from({ length: 24 }, (_, index) => index / rate);
      const [video] = (await make(await phoneFilm({ format: 'webm', sound: false, times }), 'video')).files;
      if (!video) throw new Error('no rendition');
      using input = new Input({ source: new BufferSource(video), formats: [MP4] });
      const track = await input.getPrimaryVideoTrack();
      expect((await track?.computePacketStats())?.packetCount).toBe(24 * kept);
    }
  });

  test('a film whose sample entry says 0 × 0 has the size of its frames', async () => {
    const { files, width, height } = await make(withoutSize(await phoneFilm()), 'video');
    const [video, poster] = files;
    if (!video || !poster) throw new Error('a rendition is missing');
    expect([width, height]).toEqual([320, 180]);
    expect(await facts(video)).toMatchObject({ size: [320, 180] });
    expect(await sharp(poster).metadata()).toMatchObject({ width: 320, height: 180 });
  });

  test('what an editor cut off its beginning is in no rendition', { tags: 'whole' }, async () => {
    const film = await phoneFilm({ sound: false });
    const { files, duration } = await make(cutAtStart(film, 0.5), 'video');
    const [video] = files;
    if (!video) throw new Error('no rendition');
    using input = new Input({ source: new BufferSource(video), formats: [MP4] });
    const track = await input.getPrimaryVideoTrack();
    expect((await track?.computePacketStats())?.packetCount).toBe(12);
    expect(duration).toBe(0.5);
  });

  test('held sideways in a format that must be converted: turned for good', { tags: 'whole' }, async () => {
    const { files } = await make(
      await phoneFilm({ rotation: 90, width: 2560, height: 1440, times: [0, 0.1, 0.2], sound: false }),
      'video',
    );
    const [video, poster] = files;
    if (!video || !poster) throw new Error('a rendition is missing');
    expect(await facts(video)).toMatchObject({ size: [1080, 1920], rotation: 0 });
    const [red = 0] = await pixel(poster, 270, 60);
    const [below = 255] = await pixel(poster, 270, 900);
    expect(red).toBeGreaterThan(150);
    expect(below).toBeLessThan(90);
    await expectNoMetadata(video);
  });

  test.each<[string, () => Buffer | Promise<Buffer>, RegExp?]>([
    ['a day long', () => phoneFilm({ times: [0, 86_399], sound: false })],
    ['cut off', async () => (await phoneFilm()).subarray(0, 4000)],
    [
      'cut off after an index that comes first',
      async () => {
        const [film] = (await make(await phoneFilm(), 'video')).files;
        return film?.subarray(0, Math.floor(film.length * 0.7)) ?? Buffer.alloc(0);
      },
    ],
    ['a head without a body', async () => (await phoneFilm()).subarray(0, 40)],
    [
      'a table of four thousand million entries',
      async () => {
        const film = await phoneFilm();
        film.writeUInt32BE(0xffffffff, film.indexOf('stsz') + 12);
        return film;
      },
    ],
    [
      'a table of as many frames in one piece',
      async () => {
        const film = await phoneFilm({ sound: false });
        film.writeUInt32BE(0xffffffff, film.indexOf('stsc') + 16);
        return film;
      },
      /cut off or damaged/,
    ],
    [
      'a browser’s recording, of a length that it did not know, with other bytes after it',
      async () => {
        const film = await phoneFilm({ format: 'webm', sound: false });
        const length = film.indexOf('18538067', 'hex') + 4;
        film.fill(0xff, length + 1, length + 6).writeUInt8(0x07, length);
        return Buffer.concat([film, Buffer.alloc(60, 'other bytes')]);
      },
      /cut off or damaged/,
    ],
    ['sound alone', () => phoneFilm({ isSoundAlone: true }), /has sound and no moving image/],
    [
      'a sound that cannot be read',
      async () => {
        const film = await phoneFilm();
        for (const box of ['mp4a', 'esds']) film.write('alac', film.lastIndexOf(box), 'latin1');
        return film;
      },
      /this video’s sound, “alac”/,
    ],
    ['encrypted', async () => encrypted(await phoneFilm()), /is encrypted/],
    [
      'an hour without sound',
      async () => withGapInSound(await phoneFilm({ format: 'webm' }), 3600),
      /lasts 61 minutes/,
    ],
    [
      '0 × 0 pixels without frames',
      async () => {
        const film = withoutSize(await phoneFilm({ sound: false }));
        const frames = film.indexOf('mdat') + 4;
        return film.fill(0, frames, frames - 8 + film.readUInt32BE(frames - 8));
      },
      /cut off or damaged/,
    ],
    ['a head without a table', async () => Buffer.from(`\0\0\0\x18ftypisom\0\0\0\0isommp41`, 'latin1')],
  ])('refuses %s', async (_what, content, reason = /^x\.file: This video/) => {
    await expect(make(await content(), 'video')).rejects.toEqual(refusal(reason));
  });

  test('survives films damaged at random', async () => {
    const whole = await phoneFilm({ times: [0, 0.1, 0.2, 0.3], width: 64, height: 64 });
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const damaged = Buffer.from(whole);
      for (let i = 0; i < 1 + round * 3; i++) damaged[32 + random(damaged.length - 32)] = random(256);
      outcomes.add(
        await make(damaged, 'video').then(
          () => 'made',
          (error) => `${error.status}`,
        ),
      );
    }
    for (const outcome of outcomes) expect(['made', '422']).toContain(outcome);
    expect((await make(whole, 'video')).files).toHaveLength(2);
  });
});
