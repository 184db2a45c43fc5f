import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFile } from '../../../media/files/make-file.ts';
import { demoFiles } from './demo-files.ts';
import { digestOf, RENDERED, type RenderedFile } from './rendered-file.ts';

// Processes the demo files into `rendered/`; run by hand when a drawing or the processing of files changes.

await rm(RENDERED, { recursive: true, force: true });
for (const { name, draw } of Object.values(demoFiles).flat()) {
  const folder = join(RENDERED, name);
  const sent = join(folder, 'sent');
  await mkdir(folder, { recursive: true });
  const drawn = await draw();
  await writeFile(sent, drawn);
  const { files, file } = await makeFile(sent, folder);
  await rm(sent);
  if (!file) throw new Error(`Demo content: ${name} is no build file`);
  const rendered: RenderedFile = { files, file, drawing: digestOf(drawn) };
  await writeFile(join(folder, 'rendered.json'), `${JSON.stringify(rendered, null, 2)}\n`);
}
