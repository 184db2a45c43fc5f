/**
 * The factor by which a test waits longer than usual before it gives up: how slow the machine was found to be when the run
 * began (`tests/runner/calibration.ts`), times what its user asks for.
 */
const FACTOR = Number(process.env.TEST_SLOWNESS ?? 1) * Number(process.env.TEST_PATIENCE ?? 1);

/** The time that a test waits for an event; it continues as soon as the event occurs. */
export const TIMEOUT_MS = 30_000 * FACTOR;
/**
 * The same for the site's work at a low priority, for example a scheduled backup: a busy machine all but
 * stops it.
 */
export const BACKGROUND_TIMEOUT_MS = 3 * TIMEOUT_MS;
/** The time that one test, or its preparation or clean-up, may take. */
export const TEST_TIMEOUT_MS = 180_000 * FACTOR;
