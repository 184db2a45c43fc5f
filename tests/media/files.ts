import { readFile, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { registerMediabunnyServer } from '@mediabunny/server';
import {
  AudioSample,
  AudioSampleSource,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathTarget,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
  Quality,
  type Rotation,
  VideoSample,
  VideoSampleSource,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny';
import { Demuxer, Muxer } from 'node-av';
import sharp from 'sharp';

registerMediabunnyServer({ hardwareContext: null });

/** Stands in every place where a real file could identify a person. */
export const SECRET = 'SECRET-51.5007N';

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:creator="${SECRET}"/></rdf:RDF></x:xmpmeta>`;

/** As a phone writes it: held sideways, with place, device, XMP and a wide-gamut profile. Red is its upper left, seen upright. */
export async function phonePicture(
  format: 'jpeg' | 'png' | 'webp',
  width = 1200,
  height = 800,
): Promise<Buffer> {
  // Stored lying: the upper left of the upright picture is stored at the lower left (orientation 6).
  const stored = await sharp({ create: { width, height, channels: 3, background: '#2060a0' } })
    .composite([
      {
        input: { create: { width: width / 4, height: height / 4, channels: 3, background: '#e00000' } },
        left: 0,
        top: height * 0.75,
      },
    ])
    .withExif({
      IFD0: { Make: SECRET, Model: 'Phone', Artist: SECRET },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '51/1 30/1 2/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '0/1 7/1 29/1',
      },
    })
    .withXmp(XMP)
    .withIccProfile('p3')
    .withMetadata({ orientation: 6 })
    .toFormat(format, { quality: 95 })
    .toBuffer();
  if (format === 'jpeg') return withJpegSegments(stored);
  if (format === 'png') return withPngText(stored);
  return stored;
}

/** A comment, IPTC-like private data, and a second file after the end. */
function withJpegSegments(jpeg: Buffer): Buffer {
  const segment = (marker: number, text: string) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(text.length + 2, 2);
    return Buffer.concat([head, Buffer.from(text, 'latin1')]);
  };
  return Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xfe, `<script>${SECRET}</script>`),
    segment(0xed, `Photoshop 3.0\0${SECRET}`),
    jpeg.subarray(2),
    Buffer.from(`PK\x03\x04${SECRET}<?php echo 1;`),
  ]);
}

function withPngText(png: Buffer): Buffer {
  const end = png.lastIndexOf('IEND') - 4;
  return Buffer.concat([
    png.subarray(0, end),
    pngChunk('tEXt', Buffer.from(`Comment\0${SECRET}`)),
    png.subarray(end),
    Buffer.from(SECRET),
  ]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A few kilobytes that would be 289 megapixels. */
export function pixelBomb(): Buffer {
  const edge = 17_000;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(edge, 0);
  header.writeUInt32BE(edge, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc((edge / 8 + 1) * edge), { level: 9 });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', rows),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** An animation of many tiny frames. */
export async function frameBomb(frames: number): Promise<Buffer> {
  const still = await sharp({ create: { width: 2, height: 2, channels: 4, background: '#fff' } })
    .webp({ lossless: true })
    .toBuffer();
  const bitstream = still.subarray(still.indexOf('VP8L'));
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  };
  const frame = chunk(
    'ANMF',
    Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 10, 0, 0, 0]), bitstream]),
  );
  const body = Buffer.concat([
    Buffer.from('WEBP', 'latin1'),
    chunk('VP8X', Buffer.from([0x02, 0, 0, 0, 1, 0, 0, 1, 0, 0])),
    chunk('ANIM', Buffer.from([0, 0, 0, 0, 0, 0])),
    ...Array<Buffer>(frames).fill(frame),
  ]);
  const head = Buffer.alloc(8);
  head.write('RIFF', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

interface Film {
  width?: number;
  height?: number;
  rotation?: Rotation;
  sound?: boolean;
  /** Seconds at which frames are shown. */
  times?: number[];
  format?: 'mp4' | 'webm';
  isSoundAlone?: boolean;
  /** The level of all that is seen, of 255. */
  grey?: number;
  stereo?: boolean;
}

/**
 * A short film as a phone writes it, with its place in the tags, a revealing track name and a private box at
 * the end.
 */
export async function phoneFilm({
  width = 320,
  height = 180,
  rotation = 0,
  sound = true,
  times,
  format = 'mp4',
  isSoundAlone = false,
  grey,
  stereo = false,
}: Film = {}): Promise<Buffer> {
  const path = join(tmpdir(), `film-${process.pid}-${Math.random().toString(36).slice(2)}.${format}`);
  const output = new Output({
    format: format === 'mp4' ? new Mp4OutputFormat({ fastStart: false }) : new WebMOutputFormat(),
    target: new FilePathTarget(path),
  });
  const picture = new VideoSampleSource({
    codec: format === 'mp4' ? 'avc' : 'vp9',
    quality: new Quality({ bitrate: 400_000 }),
  });
  if (!isSoundAlone) output.addVideoTrack(picture, { rotation, name: SECRET });
  const audio = sound
    ? new AudioSampleSource({
        codec: format === 'mp4' ? 'aac' : 'opus',
        quality: new Quality({ bitrate: 64_000 }),
      })
    : undefined;
  if (audio) output.addAudioTrack(audio, { name: SECRET });
  output.setMetadataTags({
    title: SECRET,
    comment: SECRET,
    raw: format === 'mp4' ? { '©xyz': '+51.5007-000.1246/' } : { LOCATION: SECRET },
  });
  await output.start();
  const timestamps = isSoundAlone ? [] : (times ?? Array.from({ length: 24 }, (_, index) => index / 24));
  for (const [index, timestamp] of timestamps.entries()) {
    // A bright bar on the stored left edge shows which way up the result is.
    const bar = grey === undefined ? Math.ceil(width / 4) : 0;
    const colour = grey === undefined ? [0, 40, 80 + index, 255] : [grey, grey, grey, 255];
    const row = Buffer.concat([
      Buffer.alloc(bar * 4, Buffer.from([255, 0, 0, 255])),
      Buffer.alloc((width - bar) * 4, Buffer.from(colour)),
    ]);
    const pixels = Buffer.alloc(width * height * 4, row);
    const sample = new VideoSample(pixels, {
      format: 'RGBA',
      codedWidth: width,
      codedHeight: height,
      timestamp,
      duration: 1 / 24,
    });
    await picture.add(sample);
    sample.close();
  }
  if (audio) {
    const tone = Float32Array.from(
      { length: stereo ? 96_000 : 48_000 },
      (_, index) => Math.sin(index / 20) / 5,
    );
    const sample = new AudioSample({
      data: tone,
      format: 'f32',
      numberOfChannels: stereo ? 2 : 1,
      sampleRate: 48_000,
      timestamp: 0,
    });
    await audio.add(sample);
    sample.close();
  }
  await output.finalize();
  const film = await readFile(path);
  await unlink(path);
  if (format === 'webm') return film;
  const box = Buffer.from(`\0\0\0\0uuid0123456789abcdef${SECRET}`, 'latin1');
  box.writeUInt32BE(box.length);
  return Buffer.concat([film, box]);
}

/** The same film as an editor leaves it that cut its beginning: players begin later, and the file holds all. */
export function cutAtStart(film: Buffer, seconds: number): Buffer {
  const [moov, trak, tkhd] = ['moov', 'trak', 'tkhd'].map((box) => film.indexOf(box) - 4);
  if (moov === undefined || trak === undefined || tkhd === undefined) throw new Error('it is no film');
  const timescale = film.readUInt32BE(film.indexOf('mdhd') + 16);
  const edit = Buffer.alloc(36);
  edit.writeUInt32BE(36);
  edit.write('edts', 4, 'latin1');
  edit.writeUInt32BE(28, 8);
  edit.write('elst', 12, 'latin1');
  edit.writeUInt32BE(1, 20);
  // A duration of 0 is that of the rest.
  edit.writeUInt32BE(Math.round(seconds * timescale), 28);
  edit.writeUInt16BE(1, 32);
  const end = tkhd + film.readUInt32BE(tkhd);
  const cut = Buffer.concat([film.subarray(0, end), edit, film.subarray(end)]);
  for (const box of [moov, trak]) cut.writeUInt32BE(film.readUInt32BE(box) + edit.length, box);
  return cut;
}

/** The same film without its sound, in a container that says what its colours are. */
export async function saying(film: Buffer, colorSpace: Record<string, string | boolean>): Promise<Buffer> {
  using input = new Input({ source: new BufferSource(film), formats: [MP4] });
  const video = await input.getPrimaryVideoTrack();
  const config = await video?.getDecoderConfig();
  if (!video || !config) throw new Error('the film has no picture');
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat(), target });
  const source = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(source);
  await output.start();
  // The types of the browser's own codecs know no high dynamic range.
  const decoderConfig = Object.assign(config, { colorSpace });
  for await (const packet of new EncodedPacketSink(video).packets())
    await source.add(packet, { decoderConfig });
  await output.finalize();
  if (!target.buffer) throw new Error('nothing was written');
  return Buffer.from(target.buffer);
}

/** The same film in which nothing of the sound is there for these seconds after the first half, as browsers record. */
export async function withGapInSound(film: Buffer, seconds: number): Promise<Buffer> {
  using input = new Input({ source: new BufferSource(film), formats: [WEBM] });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  const [picture, sound] = [await video?.getDecoderConfig(), await audio?.getDecoderConfig()];
  if (!video || !picture || !audio || !sound) throw new Error('the film lacks a track');
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const sources = [new EncodedVideoPacketSource('vp9'), new EncodedAudioPacketSource('opus')] as const;
  output.addVideoTrack(sources[0]);
  output.addAudioTrack(sources[1]);
  await output.start();
  for await (const packet of new EncodedPacketSink(video).packets())
    await sources[0].add(packet, { decoderConfig: picture });
  for await (const packet of new EncodedPacketSink(audio).packets())
    await sources[1].add(
      packet.clone({ timestamp: packet.timestamp + (packet.timestamp < 0.5 ? 0 : seconds) }),
      { decoderConfig: sound },
    );
  await output.finalize();
  if (!target.buffer) throw new Error('nothing was written');
  return Buffer.from(target.buffer);
}

/** The same film whose sample entry says that its picture has no size. */
export function withoutSize(film: Buffer): Buffer {
  film.writeUInt32BE(0, film.lastIndexOf('avc1') + 28);
  return film;
}

/** The same film, encrypted as what is sold. */
export async function encrypted(film: Buffer): Promise<Buffer> {
  const path = join(tmpdir(), `film-${process.pid}-${Math.random().toString(36).slice(2)}.mp4`);
  {
    await using input = await Demuxer.open(film);
    await using output = await Muxer.open(path, {
      options: {
        encryption_scheme: 'cenc-aes-ctr',
        encryption_key: '76a6c65c5ea762046bd749a2e632ccbb',
        encryption_kid: 'a7e61c373e219033c21091fa607bf3b8',
      },
    });
    const [track] = input.streams.map((stream) => output.addStream(stream));
    for await (const packet of input.packets(0)) if (packet) await output.writePacket(packet, track ?? 0);
  }
  const made = await readFile(path);
  await unlink(path);
  return made;
}
