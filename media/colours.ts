import { toAvFrame } from '@mediabunny/server';
import type { AudioSample, InputVideoTrack, Rotation, VideoSample } from 'mediabunny';
import { FilterAPI, Frame } from 'node-av';

type Part = 'primaries' | 'transfer' | 'matrix';
/** What the numbers of a picture mean, in the code points of ITU-T H.273. */
export type Colours = Record<Part, number> & { fullRange: boolean };

/** The code points that FFmpeg can bring into others, by what containers call them. */
const KNOWN: Record<Part, Record<string, number>> = {
  primaries: {
    bt709: 1,
    bt470m: 4,
    bt470bg: 5,
    smpte170m: 6,
    bt2020: 9,
    smpte431: 11,
    smpte432: 12,
    ebu3213: 22,
  },
  transfer: {
    bt709: 1,
    gamma22: 4,
    gamma28: 5,
    smpte170m: 6,
    linear: 8,
    'iec61966-2-1': 13,
    pq: 16,
    hlg: 18,
  },
  matrix: { rgb: 0, bt709: 1, fcc: 4, bt470bg: 5, smpte170m: 6, smpte240m: 7, 'bt2020-ncl': 9 },
};

/** Those of every film that was converted. */
export const ORDINARY: Colours = { primaries: 1, transfer: 1, matrix: 1, fullRange: false };

/** Whether every browser shows them as they are meant. */
export const areShownEverywhere = ({ primaries, transfer, matrix }: Colours) =>
  [1, 5, 6].includes(primaries) && [1, 6, 13].includes(transfer) && [1, 5, 6].includes(matrix);

/** The same in the words of containers. */
export function inWords({ fullRange, ...colours }: Colours): VideoColorSpaceInit {
  const words = Object.entries(colours).map(([part, number]) => [
    part,
    Object.entries(KNOWN[part as Part]).find(([, known]) => known === number)?.[0],
  ]);
  return { fullRange, ...Object.fromEntries(words) };
}

/** Browsers believe what the frames of these say before the container, and the container alone of all others. */
const SAY_IT_IN_FRAMES = new Set(['avc', 'hevc']);
/** Where nothing is said, browsers take these for BT.601 in every size, and others below this height. */
const BT601_IN_EVERY_SIZE = new Set(['vp9', 'av1']);
const HD_HEIGHT = 720;

/** What is said of a track's colours, in its frames or around them, or what browsers take them for where nothing is. */
export async function coloursOf(video: InputVideoTrack, sample: VideoSample): Promise<Colours> {
  using frame = new Frame();
  frame.alloc();
  await toAvFrame(sample, frame);
  const [codec, container] = [(await video.getCodec()) ?? '', await video.getColorSpace()];
  const inFrames = SAY_IT_IN_FRAMES.has(codec)
    ? { primaries: frame.colorPrimaries, transfer: frame.colorTrc, matrix: frame.colorSpace }
    : undefined;
  const said = (part: Part) => {
    const numbers: unknown[] = Object.values(KNOWN[part]);
    return [inFrames?.[part], KNOWN[part][container[part] ?? '']].find((number) => numbers.includes(number));
  };
  const fullRange = (inFrames && sample.colorSpace.fullRange) ?? container.fullRange ?? false;
  const is601 = fullRange || BT601_IN_EVERY_SIZE.has(codec) || sample.codedHeight < HD_HEIGHT;
  const matrix = said('matrix') ?? (is601 ? 6 : 1);
  return {
    primaries: said('primaries') ?? 1,
    transfer: said('transfer') ?? 1,
    // Red, green and blue without a matrix have a format that has no name here. Of others this is said by mistake.
    matrix: matrix === 0 && sample.format !== null ? 1 : matrix,
    fullRange,
  };
}

const PQ_AND_HLG = [16, 18];
/** White paper, in candela per square metre: what is darker keeps its look, and highlights are pressed together. */
const WHITE = 203;

/**
 * FFmpeg's filters that bring frames into the colours of ordinary screens, once and for all who look at them, and make
 * them as large as they are shown, upright and with square pixels. Phones film with colours and brightness that such
 * screens show grey and pale.
 *
 * @param shown as they are shown in the end
 * @param form the numbers of a film, or red, green and blue for a still
 * @see ITU-R BT.2408, on the brightness of white in HLG and PQ
 */
export function toScreen(
  { primaries, transfer, matrix, fullRange }: Colours,
  shown: { width: number; height: number; rotation: Rotation; flip: boolean },
  form: 'film' | 'still',
): string {
  const { width, height, rotation, flip } = shown;
  const [across, down] = rotation % 180 === 0 ? [width, height] : [height, width];
  // Browsers show the primaries of BT.601 as those of BT.709, and all common curves as the one of sRGB.
  const [gamut, curve] = [primaries === 6 ? 1 : primaries, [1, 6].includes(transfer) ? 13 : transfer];
  const size = `w=${across}:h=${down}:f=bicubic`;
  const to = form === 'film' ? 'm=1:r=limited' : 'm=0:r=full';
  const formats = { film: 'yuv420p', still: 'gbrp,format=rgba' };
  const turns = { 0: [], 90: ['transpose=1'], 180: ['hflip', 'vflip'], 270: ['transpose=2'] };
  return [
    `setparams=color_primaries=${gamut}:color_trc=${curve}:colorspace=${matrix}:range=${fullRange ? 'pc' : 'tv'}`,
    // The next filter takes halves of colours for whole ones only in even sizes.
    'scale=ceil(iw/2)*2:ceil(ih/2)*2',
    ...(PQ_AND_HLG.includes(transfer)
      ? [
          `zscale=${size}:t=linear:npl=${WHITE}`,
          'format=gbrpf32le',
          'zscale=p=1',
          // Without the filter's own fading of bright colours, by which a red light would be white.
          'tonemap=mobius:param=0.7:desat=0',
          `zscale=t=1:${to}`,
        ]
      : [`zscale=${size}:p=1:t=13:${to}`]),
    `format=${formats[form]}`,
    ...turns[rotation],
    ...(flip ? ['hflip'] : []),
    'setsar=1',
  ].join(',');
}

/** What FFmpeg's filters make of a track's frames, one after the other. @param start when the film begins, in seconds */
export async function* filtered(
  samples: AsyncIterable<VideoSample | AudioSample>,
  filters: string,
  start = 0,
): AsyncGenerator<Frame> {
  using graph = FilterAPI.create(filters);
  for await (using sample of samples) {
    sample.setTimestamp(Math.max(0, sample.timestamp - start));
    using frame = new Frame();
    frame.alloc();
    await toAvFrame(sample, frame);
    yield* await graph.processAll(frame);
  }
  yield* graph.flushFrames();
}
