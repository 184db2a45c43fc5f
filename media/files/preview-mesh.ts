import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawMesh } from './draw-mesh.ts';
import { binaryStl, type Colours, type Mesh, PICTURE } from './mesh.ts';

/** The name of the triangles that the viewer reads, in millimetres. */
const VIEWER_MESH = 'mesh.stl';

/** Draws a model, and writes its triangles for the viewer. */
export async function previewMesh(mesh: Mesh, folder: string, colours?: Colours) {
  const size = await drawMesh(mesh, join(folder, PICTURE), colours);
  await writeFile(join(folder, VIEWER_MESH), binaryStl(mesh, colours));
  return { previews: [PICTURE, VIEWER_MESH], ...size };
}
