/** The licences an author can choose from, the first preset, each with its deed. */
export const licences = [
  {
    name: 'CC BY 4.0',
    says: 'Anyone can use and change it if they credit the author',
    url: 'https://creativecommons.org/licenses/by/4.0/',
  },
  {
    name: 'CC BY-SA 4.0',
    says: 'Anyone can use and change it if they credit the author and share changes under the same licence',
    url: 'https://creativecommons.org/licenses/by-sa/4.0/',
  },
  {
    name: 'CC BY-NC 4.0',
    says: 'Anyone can use and change it for non-commercial purposes if they credit the author',
    url: 'https://creativecommons.org/licenses/by-nc/4.0/',
  },
  {
    name: 'CC0 1.0',
    says: 'Anyone can use it for any purpose, without credit',
    url: 'https://creativecommons.org/publicdomain/zero/1.0/',
  },
] as const;

export const MAX_FILES = 10;
export const MAX_FILE_MB = 25;
export const MAX_DESCRIPTION = 500;

/** What a reader is told a build file is. */
export const fileKinds: Record<string, string> = {
  pdf: 'PDF document',
  stl: 'STL model',
  '3mf': '3MF model',
  step: 'STEP model',
  svg: 'SVG drawing',
  dxf: 'DXF drawing',
};

/** The media type of a build file, for programs; browsers are given bytes to save. */
export const mediaTypes: Record<string, string> = {
  pdf: 'application/pdf',
  stl: 'model/stl',
  '3mf': 'model/3mf',
  step: 'model/step',
  svg: 'image/svg+xml',
  dxf: 'image/vnd.dxf',
};

/** What a build file may not be, as title and text, or null. The server decides what it is, by the bytes. */
export const buildFileProblem = ({ name, size }: { name: string; size: number }) =>
  size > MAX_FILE_MB * 1024 * 1024
    ? { title: 'File Too Large', text: `${name}: Build files must be under ${MAX_FILE_MB}MB.` }
    : null;

/** What a file picker offers. The server decides by the bytes. */
export const acceptedFiles = Object.keys(fileKinds)
  .map((type) => `.${type}`)
  .concat('.stp')
  .join(',');

/** "758 MB": three digits at most, in steps of 1024. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits).replace(/\.0$/, '')}\u00a0${units[unit]}`;
}
