/** What a cut keeps: a side, a corner, the centre, what catches the eye, or a point. */
export const GRAVITIES = ['no', 'so', 'ea', 'we', 'noea', 'nowe', 'soea', 'sowe', 'ce', 'sm', 'fp'] as const;

/** A picture at another size. */
export interface Resize {
  /** In pixels; a missing edge follows from the other, and no picture is enlarged. */
  width?: number | undefined;
  height?: number | undefined;
  /** Cut to fill both, fitted inside both, or stretched. */
  resize: 'cover' | 'contain' | 'fill';
  /**
   * What stays when it is cut; the centre unless it says otherwise. The offsets move the cut away from its side, in
   * pixels, or below 1 in parts of the picture; of a point they are its place, in parts of the picture.
   */
  gravity?: { towards: (typeof GRAVITIES)[number]; x: number; y: number };
  /** 1 to 100 */
  quality: number;
  /** Its own format, or WebP. */
  format: 'origin' | 'webp';
}

/** The tasks of the worker. */
export interface Job {
  id: number;
  make: 'images' | 'avatar' | 'logo' | 'video' | 'file' | Resize;
  /** The file as it was sent. */
  path: string;
  /** The folder for the renditions. */
  folder: string;
  /** The processor time that it may take. */
  maxCpuMs: number;
  /** The memory that its process may have if it is a build file. */
  maxBytes: number;
}

/** What processing found out about a build file. */
interface FileFacts {
  type: 'pdf' | 'stl' | '3mf' | 'step' | 'svg' | 'dxf';
  /** Numbers and units for readers. */
  facts: Record<string, unknown>;
  /** The beginning of the text of each page of a document. */
  pageTexts: string[];
}

/** The result: file names inside the job's folder, and the size of the main one. */
export interface JobResult {
  files: string[];
  width: number;
  height: number;
  /** The seconds that a video lasts. */
  duration?: number;
  /** What is told about a build file, whose first file is the rewritten one, and all others its previews. */
  file?: FileFacts;
}

/** End a worker process that uses more memory, or more processor time, than a file may cost. */
export const OUT_OF_MEMORY = 'SIGUSR2';
export const OUT_OF_TIME = 'SIGVTALRM';

export type Answer =
  | { id: number; result: JobResult }
  /** The reason why the file cannot be used; for the log, not for people. */
  | { id: number; problem: string }
  /** The same in words for the sender. */
  | { id: number; refusal: string };
