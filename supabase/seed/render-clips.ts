import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registerMediabunnyServer } from '@mediabunny/server';
import { BufferTarget, Mp4OutputFormat, Output, VideoSample, VideoSampleSource } from 'mediabunny';
import sharp from 'sharp';

// Renders the two demo clips in `clips/` from the drawings; run by hand when a drawing changes.

registerMediabunnyServer();
const WIDTH = 960;
const HEIGHT = 540;
const RATE = 25;
const SECONDS = 4;

const art = (name: string) => readFile(join(import.meta.dirname, 'art', `${name}.svg`), 'utf8');

/** Both fingers turn about their common pin, from open to closed and back. */
async function grip(): Promise<(phase: number) => string> {
  const svg = await art('grip');
  return (phase) => {
    const closed = (1 - Math.cos(phase * 2 * Math.PI)) / 2;
    const angle = 16 - closed * 22;
    return svg
      .replace('<g id="upper">', `<g transform="rotate(${-angle} 540 284)">`)
      .replace('<g id="lower">', `<g transform="rotate(${angle} 540 284)">`);
  };
}

/** The leg swings about the knee with the foot clearing the ground, as in level walking. */
async function gait(): Promise<(phase: number) => string> {
  const svg = await art('transtibial');
  const leg = svg.indexOf('<g><g transform="translate(410 494)">');
  const liner = svg.indexOf('<g transform="translate(618 420)">');
  const [before, limb] = [svg.slice(0, leg), svg.slice(leg, liner)];
  return (phase) => {
    const swing = Math.sin(phase * 2 * Math.PI);
    const lift = Math.max(0, Math.cos(phase * 2 * Math.PI)) * 16;
    const shade = before
      .replace('cx="452"', `cx="${452 - swing * 120}"`)
      .replace(/<ellipse cx="748".*?\/>/, '');
    return `${shade}<g transform="translate(90 ${-lift}) rotate(${swing * 17} 404 -60)">${limb}</g></svg>`;
  };
}

async function render(name: string, frame: (phase: number) => string) {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const source = new VideoSampleSource({ codec: 'avc', bitrate: 700_000, keyFrameInterval: 2 });
  output.addVideoTrack(source, { frameRate: RATE });
  await output.start();
  for (let index = 0; index < RATE * SECONDS; index++) {
    const svg = frame(index / ((RATE * SECONDS) / 2)).replace(
      /width="\d+" height="\d+"/,
      `width="${WIDTH}" height="${HEIGHT}"`,
    );
    const data = await sharp(Buffer.from(svg))
      .resize(WIDTH, HEIGHT, { fit: 'cover' })
      .ensureAlpha()
      .raw()
      .toBuffer();
    const sample = new VideoSample(new Uint8Array(data), {
      format: 'RGBA',
      codedWidth: WIDTH,
      codedHeight: HEIGHT,
      timestamp: index / RATE,
      duration: 1 / RATE,
    });
    await source.add(sample);
    sample.close();
  }
  await output.finalize();
  if (!target.buffer) throw new Error(`${name} was not rendered`);
  await writeFile(join(import.meta.dirname, 'clips', `${name}.mp4`), new Uint8Array(target.buffer));
}

await render('grip', await grip());
await render('gait', await gait());
