import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registerMediabunnyServer } from '@mediabunny/server';
import { BufferTarget, Mp4OutputFormat, Output, VideoSample, VideoSampleSource } from 'mediabunny';
import sharp from 'sharp';
import { CLIPS } from './clips.ts';
import { readArt } from './pictures.ts';

// Renders the demo clips in `clips/` from the drawings; run by hand when a drawing changes.

registerMediabunnyServer();
const WIDTH = 960;
const HEIGHT = 540;
const RATE = 25;
const FOLDER = join(import.meta.dirname, 'clips');

async function render(name: string, seconds: number, frame: (phase: number) => string) {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const source = new VideoSampleSource({ codec: 'avc', bitrate: 500_000, keyFrameInterval: 2 });
  output.addVideoTrack(source, { frameRate: RATE });
  await output.start();
  for (let index = 0; index < RATE * seconds; index++) {
    const svg = frame(index / (RATE * seconds)).replace(
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
  await writeFile(join(FOLDER, `${name}.mp4`), new Uint8Array(target.buffer));
}

await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER);
for (const [name, { art, seconds, frame }] of Object.entries(CLIPS)) {
  const svg = await readArt(art);
  await render(name, seconds, (phase) => frame(svg, phase));
}
