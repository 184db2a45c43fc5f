import { empty, SIZES, tooLarge } from '../../../media/sniff.ts';

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

const endings = [...Object.keys(fileKinds), 'stp'].map((type) => `.${type}`);

/** What a file picker offers. The server decides by the bytes. */
export const acceptedFiles = endings.join(',');
/** Whether a file calls itself a build file. */
export const saysBuildFile = ({ name }: { name: string }) =>
  endings.some((ending) => name.toLowerCase().endsWith(ending));

/** What a file that was chosen as a build file is, and why it cannot be accepted, or null. The server checks again. */
export function judgeBuildFile({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>) {
  const large = size > SIZES.file.bytes ? tooLarge(name, 'file') : null;
  return { type, kind: 'build-file' as const, problem: size === 0 ? empty(name) : large };
}

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
