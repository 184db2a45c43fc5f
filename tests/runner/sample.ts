/** Whether all is asked for, with `npm test -- --all`, as each night's run of the public CI does. */
export const isWhole = (): boolean => process.env.TEST_ALL === '1';

/** The number of repetitions of something, or the distance of its steps: in each run, and where all is asked for. */
export const inEachRun = (number: number, whole: number): number => (isWhole() ? whole : number);
