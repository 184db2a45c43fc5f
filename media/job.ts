/** A picture at another size. */
export interface Resize {
  /** Pixels; what is not said follows from the other, and nothing is enlarged. */
  width?: number | undefined;
  height?: number | undefined;
  /** Cut to fill both, fitted inside both, or stretched. */
  resize: 'cover' | 'contain' | 'fill';
  /** 1 to 100 */
  quality: number;
  /** Its own, or WebP. */
  format: 'origin' | 'webp';
}

/** What the worker is asked to do. */
export interface Job {
  id: number;
  make: 'images' | 'avatar' | 'video' | Resize;
  /** The file as it was sent. */
  path: string;
  /** Where the renditions go. */
  folder: string;
}

/** What it has made: names inside the job's folder, and how large the main one is. */
export interface JobResult {
  files: string[];
  width: number;
  height: number;
  /** Seconds, of a video. */
  duration?: number;
}

export type Answer =
  | { id: number; made: JobResult }
  | { id: number; progress: true }
  /** Why the file cannot be used; for the log, not for people. */
  | { id: number; problem: string };
