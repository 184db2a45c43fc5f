import { AvFrameVideoSampleResource, toAvFrame } from '@mediabunny/server';
import type { InputVideoTrack, VideoSample } from 'mediabunny';
import { FilterAPI, Frame } from 'node-av';

/** The brightness curves of films with a high dynamic range, as FFmpeg calls them. */
const CURVES: Record<string, string> = { hlg: 'arib-std-b67', pq: 'smpte2084' };
/** White paper, in candela per square metre: what is darker keeps its look, and highlights are pressed together. */
const WHITE = 203;

/**
 * Phones film with colours and brightness that ordinary screens show grey and pale, so that such a film is brought into
 * the colours of all others, once and for all who look at it.
 *
 * @returns what each frame becomes, for a track with a high dynamic range
 * @see ITU-R BT.2408, on the brightness of white in HLG and PQ
 */
export async function toneMapper(video: InputVideoTrack) {
  const { transfer, fullRange } = await video.getColorSpace();
  const curve = CURVES[transfer ?? ''];
  if (!curve) return undefined;
  const filter = FilterAPI.create(
    [
      `setparams=color_primaries=bt2020:color_trc=${curve}:colorspace=bt2020nc:range=${fullRange ? 'pc' : 'tv'}`,
      `zscale=t=linear:npl=${WHITE}`,
      'format=gbrpf32le',
      'zscale=p=bt709',
      // Without the filter's own fading of bright colours, by which a red light would be white.
      'tonemap=mobius:param=0.7:desat=0',
      'zscale=t=bt709:m=bt709:r=tv',
      'format=yuv420p',
    ].join(','),
  );
  return {
    map: async (sample: VideoSample) => {
      using frame = new Frame();
      frame.alloc();
      await toAvFrame(sample, frame);
      const [mapped] = await filter.processAll(frame);
      if (!mapped) throw new Error('a frame was lost when its colours were converted');
      return new AvFrameVideoSampleResource(mapped);
    },
    [Symbol.dispose]: () => filter.close(),
  };
}
