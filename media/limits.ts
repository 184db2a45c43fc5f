const MB = 1024 * 1024;

/** The limits on uploads beside their size, which keep one file from occupying the machine. */
export const LIMITS = {
  /** What the packed parts of a build file may hold in all. */
  unpackedBytes: 300 * MB,
  pages: 200,
  /** The parts of a packed build file. */
  parts: 200,
  /** The triangles of a model. */
  triangles: 1_000_000,
  /** The longest edge that a model may have, in millimetres. */
  modelEdge: 100_000,
  /** The lines, shapes and texts of a drawing, each counted as often as it is drawn. */
  shapes: 200_000,
  imagePixels: 50_000_000,
  /** The frames of an animated picture, of which only the first is shown. */
  frames: 200,
  /** 4K, with a margin for unusual cameras. */
  videoPixels: 10_000_000,
  videoSeconds: 600,
  framesPerSecond: 120,
  tracks: 16,
};

/** Longest edge of each rendition. */
export const EDGES = { full: 2000, card: 960, thumb: 320, poster: 960, avatar: 256, logo: 512 };

/** What a job of a worker may use. */
export const JOB_LIMITS = {
  /** Processor time of all threads: on a busy machine a file takes longer by the clock, and no more of this. */
  cpuMs: { image: 20_000, video: 600_000, file: 180_000 },
  /** By the clock, for a decoder that waits for ever. The answer to the sender must still come in time. */
  hungMs: 390_000,
  /** The memory of the process that reads a build file. */
  bytes: 1536 * MB,
};
