const MB = 1024 * 1024;

/**
 * The limits on uploads. The sizes are the specification's; the rest keeps one file from occupying the
 * machine.
 */
export const LIMITS = {
  imageBytes: 10 * MB,
  videoBytes: 50 * MB,
  /** Of a build file. */
  fileBytes: 25 * MB,
  /** What the packed parts of a build file may hold in all. */
  unpackedBytes: 300 * MB,
  pages: 200,
  /** The parts of a packed build file. */
  parts: 200,
  /** The memory of the process that reads a build file. */
  workerBytes: 1536 * MB,
  /** Of a model. */
  triangles: 1_000_000,
  /** Of a model's longest edge, in millimetres. */
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
export const EDGES = { full: 2000, card: 960, thumb: 320, poster: 960, avatar: 256 };

/** In milliseconds; a video or build file may take long as long as it makes progress. */
export const TIMEOUT_MS = {
  image: 20_000,
  videoStalled: 30_000,
  video: 300_000,
};
