import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AvFrameAudioSampleResource,
  AvFrameVideoSampleResource,
  registerMediabunnyServer,
  toAvFrame,
} from '@mediabunny/server';
import {
  AudioSample,
  AudioSampleSink,
  AudioSampleSource,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathTarget,
  Mp4OutputFormat,
  Output,
  Quality,
  VideoSample,
  VideoSampleSink,
  VideoSampleSource,
} from 'mediabunny';
import { FFmpegError, Frame } from 'node-av';
import { areShownEverywhere, type Colours, filtered, inWords, ORDINARY, toScreen } from './colours.ts';
import { type Film, inspect, read, refuseUnusable, startOf } from './film.ts';
import { describe, lengthSize, pictureOnly, playsEverywhere } from './h264.ts';
import { writePoster } from './image.ts';
import type { JobResult } from './job.ts';
import { EDGES } from './limits.ts';
import { SIZES } from './sniff.ts';

// Strangers' films are decoded in this process alone: no driver of the machine is looked for.
registerMediabunnyServer({ hardwareContext: null });

const LONG_EDGE = 1920;
const SHORT_EDGE = 1080;

/**
 * Makes an MP4 that every browser plays and a still of it. A film in that format keeps its picture, and the
 * side on which the camera was held, but moves into a new container like every other, without the metadata that
 * its camera wrote beside picture and sound.
 */
export async function makeVideo(path: string, folder: string): Promise<JobResult> {
  await refuseUnusable(path);
  const between = join(folder, 'between.mp4');
  const final = join(folder, 'video.mp4');
  if (!(await rewrapIfReady(path, final))) {
    await transcode(path, between);
    if (!(await rewrapIfReady(between, final, ORDINARY)))
      throw new Error('its conversion is not what it should be');
  }
  await rm(between, { force: true });

  using input = read(final);
  const film = await inspect(input);
  await takeStill(film, join(folder, 'poster.webp'));
  const { width, height, duration } = film;
  return { files: ['video.mp4', 'poster.webp'], width, height, duration: Math.round(duration * 10) / 10 };
}

/**
 * @param colours what is known of them, where the file says nothing
 * @returns false when the film must be converted first
 */
async function rewrapIfReady(from: string, path: string, colours?: Colours): Promise<boolean> {
  using input = read(from);
  const found = await inspect(input);
  const film = { ...found, colours: colours ?? found.colours };
  // Some cameras write parameters that can be decoded, but against the rules by which they are changed.
  const description = (await isReady(film)) && describe(film.description, film.colours);
  if (!description) return false;
  await rewrap(film, description, path);
  return true;
}

/** In seconds: by how much the padding of an encoder of sound may begin before the film, and a picture by rounding. */
const LONGEST_LEAD = { sound: 0.1, picture: 0.01 };

async function isReady(film: Film): Promise<boolean> {
  const { video, audio, config, width, height, flip, colours } = film;
  return (
    (await video.getCodec()) === 'avc' &&
    playsEverywhere(await video.getCodecParameterString()) &&
    // Players turn a picture as its track says, but some do not mirror it.
    !flip &&
    areShownEverywhere(colours) &&
    config.codedWidth >= config.displayAspectWidth &&
    // What was cut off the beginning is still in the file, and would be seen again.
    (await video.getFirstTimestamp()) > -LONGEST_LEAD.picture &&
    (audio === null || (await audio.getFirstTimestamp()) > -LONGEST_LEAD.sound) &&
    Math.max(width, height) <= LONG_EDGE &&
    Math.min(width, height) <= SHORT_EDGE &&
    (audio === null || ((await audio.getCodec()) === 'aac' && (await audio.getNumberOfChannels()) <= 2))
  );
}

/** Writes tracks side by side. One that fails ends the others, and the file is closed. */
async function write(output: Output, tracks: (() => Promise<void>)[]): Promise<void> {
  await output.start();
  let reason: unknown;
  const stop = async (error: unknown) => {
    reason ??= error;
    await output.cancel();
  };
  await Promise.all(tracks.map((track) => track().catch(stop)));
  if (reason) throw reason;
  await output.finalize();
}

/** In images a second. */
const FASTEST = 60;
/** Keeps the first frame in each sixtieth of a second. */
const SLOWER = `select='isnan(prev_selected_t)+gt(floor(t*${FASTEST}+.1),floor(prev_selected_t*${FASTEST}+.1))'`;
/** Silence is put where sound is missing, as in what browsers record, so that it stays together with its picture. */
const SOUND = 'aresample=osr=48000:osf=fltp:async=1:min_hard_comp=.04,aformat=channel_layouts=stereo|mono';

/** Breaks the gaps of a sound by a moment of silence in each second, since FFmpeg keeps all of a gap in memory. */
async function* withoutLongGaps(samples: AsyncIterable<AudioSample>): AsyncGenerator<AudioSample> {
  let end = Number.POSITIVE_INFINITY;
  for await (const sample of samples) {
    for (let at = end + 1; at < sample.timestamp; at++) {
      const frame = new Frame();
      frame.alloc();
      await toAvFrame(sample, frame);
      FFmpegError.throwIfError(frame.makeWritable());
      for (const plane of frame.data ?? []) plane.fill(sample.format.startsWith('u8') ? 128 : 0);
      const silence = new AudioSample(new AvFrameAudioSampleResource(frame));
      silence.setTimestamp(at);
      yield silence;
    }
    end = sample.timestamp + sample.duration;
    yield sample;
  }
}

async function transcode(from: string, path: string): Promise<void> {
  using input = read(from);
  const film = await inspect(input);
  const { video, audio, duration, colours } = film;
  const scale = Math.min(
    1,
    LONG_EDGE / Math.max(film.width, film.height),
    SHORT_EDGE / Math.min(film.width, film.height),
  );
  const even = (length: number) => Math.max(2, Math.round((length * scale) / 2) * 2);
  const [width, height] = [even(film.width), even(film.height)];
  const { averagePacketRate } = await video.computePacketStats(120);
  // A tenth of a bit for each pixel looks good; the file must fit the storage limit.
  const targetBitrate = width * height * Math.min(averagePacketRate, FASTEST) * 0.1;
  const bitrate = Math.round(
    Math.min(Math.max(targetBitrate, 300_000), (SIZES.video.bytes * 8) / duration - 160_000),
  );

  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: false }),
    target: new FilePathTarget(path),
  });
  const picture = new VideoSampleSource({
    codec: 'avc',
    quality: new Quality({ bitrate: Math.max(bitrate, 100_000) }),
    hardwareAcceleration: 'prefer-software',
  });
  output.addVideoTrack(picture);
  const sound = audio && new AudioSampleSource({ codec: 'aac', quality: new Quality({ bitrate: 128_000 }) });
  if (sound) output.addAudioTrack(sound);
  const start = Math.max(0, await startOf(film));
  const filters = toScreen(colours, { ...film, width, height }, 'film');
  const copyPicture = async () => {
    const samples = new VideoSampleSink(video).samples(start);
    for await (const frame of filtered(
      samples,
      averagePacketRate > FASTEST + 1 ? `${SLOWER},${filters}` : filters,
      start,
    )) {
      const [timestamp, duration] = [Number(frame.pts) / 1e6, Number(frame.duration) / 1e6];
      using sample = new VideoSample(new AvFrameVideoSampleResource(frame), { timestamp, duration });
      await picture.add(sample);
    }
    picture.close();
  };
  const copySound = async () => {
    if (!audio || !sound) return;
    for await (const frame of filtered(
      withoutLongGaps(new AudioSampleSink(audio).samples(start)),
      SOUND,
      start,
    )) {
      using sample = new AudioSample(new AvFrameAudioSampleResource(frame));
      await sound.add(sample);
    }
    sound.close();
  };
  await write(output, [copyPicture, copySound]);
}

/** Copies only picture and sound into a new file whose index comes first. */
async function rewrap(film: Film, description: Uint8Array, path: string): Promise<void> {
  const { video, audio, config, rotation, colours } = film;
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: 'in-memory' }),
    target: new FilePathTarget(path),
  });
  const picture = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(picture, { rotation });
  const sound = audio && new EncodedAudioPacketSource('aac');
  if (sound) output.addAudioTrack(sound);

  const size = lengthSize(description);
  const decoderConfig = { ...config, description, colorSpace: inWords(colours) };
  // Sound may begin a moment before the picture, as encoders' padding does; time itself must not.
  const shift = Math.max(0, -(await startOf(film)));

  const copyPicture = async () => {
    for await (const packet of new EncodedPacketSink(video).packets()) {
      const data = pictureOnly(packet.data, size, colours);
      if (data.length > 0)
        await picture.add(packet.clone({ data, timestamp: packet.timestamp + shift }), { decoderConfig });
    }
    picture.close();
  };
  const copySound = async () => {
    if (!audio || !sound) return;
    const soundConfig = await audio.getDecoderConfig();
    if (!soundConfig) throw new Error('it does not say how its sound is coded');
    for await (const packet of new EncodedPacketSink(audio).packets()) {
      await sound.add(packet.clone({ timestamp: packet.timestamp + shift }), { decoderConfig: soundConfig });
    }
    sound.close();
  };
  await write(output, [copyPicture, copySound]);
}

async function takeStill(film: Film, path: string): Promise<void> {
  const { video, duration } = film;
  const at = (await video.getFirstTimestamp()) + Math.min(1, duration / 3);
  const scale = Math.min(1, EDGES.poster / Math.max(film.width, film.height));
  const [width, height] = [
    Math.max(1, Math.round(film.width * scale)),
    Math.max(1, Math.round(film.height * scale)),
  ];
  const filters = toScreen(film.colours, { ...film, width, height }, 'still');
  // The frame that is shown at this moment, and no other.
  for await (const frame of filtered(new VideoSampleSink(video).samples(at, at + 1e-6), filters)) {
    using sample = new VideoSample(new AvFrameVideoSampleResource(frame), { timestamp: 0 });
    const pixels = new Uint8Array(sample.allocationSize());
    await sample.copyTo(pixels);
    return await writePoster(pixels, width, height, path);
  }
  throw new Error('no frame of it can be shown');
}
