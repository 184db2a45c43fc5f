/** How much longer than usual a test waits before it gives up; for slow or busy machines. */
const FACTOR = Number(process.env.TEST_PATIENCE ?? 1);

/** How long a test waits for what should come about; it goes on as soon as it has. */
export const TIMEOUT_MS = 30_000 * FACTOR;
/** The same for what the site does at a low priority, such as a backup by schedule: a busy machine all but stops it. */
export const BACKGROUND_TIMEOUT_MS = 3 * TIMEOUT_MS;
/** How long one test, or what comes before and after it, may take. */
export const TEST_TIMEOUT_MS = 180_000 * FACTOR;
