import type { Dependencies } from '../context.ts';
import type { FunctionModule } from './function-module.ts';

/**
 * Calls the functions that declare a schedule, at once and then repeatedly, each only when its last call is
 * over. On a hosted project, a cron job does this.
 */
export function createSchedule(
  { log }: Pick<Dependencies, 'log'>,
  names: string[],
  load: (name: string) => Promise<FunctionModule>,
  call: (name: string) => Promise<Response>,
) {
  const timers = new Map<string, NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  let closed = false;

  async function run(name: string, everySeconds: number): Promise<void> {
    try {
      const response = await call(name);
      if (!response.ok) throw new Error(`it answered ${response.status}: ${await response.text()}`);
    } catch (error) {
      if (!closed) log.error({ err: error, function: name }, 'a scheduled function failed');
    }
    if (!closed)
      timers.set(name, setTimeout(() => startRun(name, everySeconds), everySeconds * 1000).unref());
  }

  function startRun(name: string, everySeconds: number): void {
    const call = run(name, everySeconds).finally(() => running.delete(call));
    running.add(call);
  }

  return {
    start(): void {
      for (const name of names) {
        load(name).then(
          ({ everySeconds }) => {
            if (everySeconds && !closed) startRun(name, everySeconds);
          },
          (error) => log.error({ err: error, function: name }, 'a function cannot be loaded'),
        );
      }
    },
    async close(): Promise<void> {
      closed = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
