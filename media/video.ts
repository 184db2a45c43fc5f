import { open, rm } from 'node:fs/promises';
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
  FilePathSource,
  FilePathTarget,
  Input,
  type InputVideoTrack,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
  Quality,
  VideoSample,
  VideoSampleSink,
  VideoSampleSource,
  WEBM,
} from 'mediabunny';
import { AV_CODEC_ID_H264, Codec, CodecContext, FFmpegError, Frame, Packet } from 'node-av';
import {
  areShownEverywhere,
  type Colours,
  coloursOf,
  filtered,
  inWords,
  ORDINARY,
  toScreen,
} from './colours.ts';
import { FileProblem } from './files/problem.ts';
import { describe, lengthSize, pictureOnly, playsEverywhere } from './h264.ts';
import { writePoster } from './image.ts';
import type { JobResult } from './job.ts';
import { EDGES, LIMITS } from './limits.ts';
import { SIZES } from './sniff.ts';

// Strangers' films are decoded in this process alone: no driver of the machine is looked for.
registerMediabunnyServer({ hardwareContext: null });

const LONG_EDGE = 1920;
const SHORT_EDGE = 1080;

const bytesOf = (data: AllowSharedBufferSource) =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);

const read = (path: string) => new Input({ source: new FilePathSource(path), formats: [MP4, QTFF, WEBM] });

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

/** In seconds: by how much the padding of an encoder of sound may begin before the film, and a picture by rounding. */
const LONGEST_LEAD = { sound: 0.1, picture: 0.01 };
const cutOff = () => new FileProblem('This video is cut off or damaged. Copy it from the camera again.');
const encrypted = () =>
  new FileProblem('This video is encrypted. Export it without protection and choose it again.');
const MAX_BOXES = 10_000;
/** The boxes that a protected track has in the film's index. */
const ENCRYPTED = ['sinf', 'schm'];
/** The boxes that a film is made of; what else follows the last one was added to it. */
const BOX = /^(?:ftyp|moov|mdat|moof|mfra|free|skip|wide|uuid|meta|udta|sidx|styp|pdin)$/;

/**
 * Refuses an MP4 whose last box is longer than the file: an index in front promises pictures that did not arrive. A
 * player would stop in the middle. One that is encrypted is refused too.
 */
async function refuseUnusable(path: string): Promise<void> {
  await using file = await open(path);
  const { size: end } = await file.stat();
  const head = Buffer.alloc(16);
  let at = 0;
  for (let boxes = 0; at + 8 <= end && boxes < MAX_BOXES; boxes++) {
    head.fill(0);
    await file.read(head, 0, 16, at);
    if (boxes === 0 && head.toString('latin1', 4, 8) !== 'ftyp') return;
    const short = head.readUInt32BE(0);
    // 0 stands for the rest of the file, 1 for a length in eight bytes after the name.
    const length = short === 0 ? end - at : short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    const name = head.toString('latin1', 4, 8);
    if (length < 8 || !BOX.test(name)) return;
    if (name === 'moov' && length <= end - at) {
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, at);
      if (ENCRYPTED.every((box) => buffer.includes(box))) throw encrypted();
    }
    at += length;
  }
  if (at > end) throw cutOff();
}

/** Formats that people have, by what a film calls them. */
const CODEC_NAMES: Record<string, string> = {
  mp4v: 'MPEG-4 Part 2',
  jpeg: 'Motion JPEG',
  mjpg: 'Motion JPEG',
  s263: 'H.263',
};

function refuseTooLarge(width: number, height: number) {
  if (width * height > LIMITS.videoPixels)
    throw new FileProblem(
      `This video is ${width} × ${height} pixels. Save it in 4K or less and choose it again.`,
    );
}

type Film = Awaited<ReturnType<typeof inspect>>;

/** Checks a film before more of it is decoded than its first frame. */
async function inspect(input: Input) {
  const tracks = await input.getTracks();
  if (tracks.length > LIMITS.tracks)
    throw new FileProblem(`This video has ${tracks.length} tracks. Export it with one image and one sound.`);
  const video = await input.getPrimaryVideoTrack();
  if (!video && tracks.some((track) => track.isAudioTrack()))
    throw new FileProblem('This file has sound and no moving image. Choose a video.');
  if (!video) throw cutOff();
  if (!(await video.canDecode())) {
    const format = (await video.getCodecParameterString()) ?? (await video.getInternalCodecId());
    const name = CODEC_NAMES[String(format)] ?? `“${format}”`;
    throw new FileProblem(
      `The format of this video, ${name}, cannot be read. Save it as H.264 and choose it again.`,
    );
  }
  refuseTooLarge(await video.getCodedWidth(), await video.getCodedHeight());
  refuseTooLarge(await video.getDisplayWidth(), await video.getDisplayHeight());
  const audio = await input.getPrimaryAudioTrack();
  if (audio && !(await audio.canDecode()))
    throw new FileProblem(
      `The format of this video’s sound, “${(await audio.getCodec()) ?? (await audio.getInternalCodecId())}”, cannot be read. Save it with AAC sound, or without sound, and choose it again.`,
    );
  const duration = await video.computeDuration();
  if (!(duration > 0)) throw cutOff();
  const longest = Math.max(duration, (await audio?.computeDuration()) ?? 0);
  if (longest > LIMITS.videoSeconds)
    throw new FileProblem(
      `This video lasts ${Math.ceil(longest / 60)} minutes. Videos can last at most ${LIMITS.videoSeconds / 60}: shorten it and choose it again.`,
    );
  const { averagePacketRate } = await video.computePacketStats(500);
  if (averagePacketRate > LIMITS.framesPerSecond * 2)
    throw new FileProblem(
      `This video has ${Math.round(averagePacketRate)} images a second. Save it with at most ${LIMITS.framesPerSecond} and choose it again.`,
    );

  const config = await video.getDecoderConfig();
  if (!config) throw cutOff();
  // The decoder needs a size for the shape of a pixel, and finds the true one in the frames.
  if (!(config.codedWidth && config.codedHeight)) Object.assign(config, { codedWidth: 2, codedHeight: 2 });
  if (config.displayAspectWidth === undefined) Object.assign(config, await shapeInFrames(video, config));
  using first = await new VideoSampleSink(video).getSample(await video.getFirstTimestamp());
  if (!first) throw cutOff();
  const { displayWidth: width, displayHeight: height, rotation, flip } = first;
  const coded = {
    codedWidth: first.codedWidth,
    codedHeight: first.codedHeight,
    displayAspectWidth: first.squarePixelWidth,
    displayAspectHeight: first.squarePixelHeight,
  };
  refuseTooLarge(coded.codedWidth, coded.codedHeight);
  refuseTooLarge(width, height);
  const colours = await coloursOf(video, first);
  return { video, audio, duration, config: { ...config, ...coded }, width, height, rotation, flip, colours };
}

/** What H.264 says in its frames of pixels that are not square, which players believe where the container is silent. */
async function shapeInFrames(video: InputVideoTrack, config: VideoDecoderConfig) {
  const { description, codedWidth = 0, codedHeight = 0 } = config;
  const first = await new EncodedPacketSink(video).getFirstPacket();
  if ((await video.getCodec()) !== 'avc' || !first || !description) return {};
  using decoder = new CodecContext();
  decoder.allocContext3(Codec.findDecoder(AV_CODEC_ID_H264));
  decoder.extraData = Buffer.from(bytesOf(description));
  FFmpegError.throwIfError(await decoder.open2());
  using packet = new Packet();
  packet.alloc();
  packet.data = Buffer.from(first.data);
  await decoder.sendPacket(packet);
  const { num, den } = decoder.sampleAspectRatio;
  return num > 0 && den > 0
    ? { displayAspectWidth: codedWidth * num, displayAspectHeight: codedHeight * den }
    : {};
}

/**
 * @param colours what is known of them, where the file says nothing
 * @returns false when the film must be converted first
 */
async function rewrapIfReady(from: string, path: string, colours?: Colours): Promise<boolean> {
  using input = read(from);
  const found = await inspect(input);
  const film = { ...found, colours: colours ?? found.colours };
  const description = film.config.description && describe(bytesOf(film.config.description), film.colours);
  if (!description || !(await isReady(film))) return false;
  await rewrap(film, description, path);
  return true;
}

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

/** The earliest of picture and sound that is shown. */
async function startOf({ video, audio }: Film): Promise<number> {
  const [picture, sound] = [await video.getFirstTimestamp(), await audio?.getFirstTimestamp()];
  return Math.min(picture, sound ?? picture);
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
