import { type BuildFile, factOf, factsText } from '#app/solution/build-files/build-file.ts';
import { fileKinds } from '#app/solution/build-files/kinds.ts';

/** The name of the triangles that the media worker writes beside a 3MF or STEP file. */
export const VIEWER_MESH = 'mesh.stl';

type Facts = Pick<BuildFile, 'facts' | 'file_name' | 'file_type'>;

/** All that the picture of a file shows, in words. */
export function modelText(file: Facts): string {
  const triangles = factOf(file.facts, 'triangles');
  return [
    `${file.file_name}, ${fileKinds[file.file_type] ?? file.file_type}`,
    factsText(file),
    typeof triangles === 'number' && `${triangles.toLocaleString('en-GB')} triangles`,
  ]
    .filter(Boolean)
    .join(', ');
}
