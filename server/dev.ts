import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { ServerBuild } from 'react-router';
import type * as Entry from '#app/entry.server.tsx';
import type { Config } from '#backend/config.ts';
import type { Handler } from '#backend/http/http-server.ts';
import type { Logger } from '#backend/log.ts';
import type { Backend } from '#backend/start.ts';
import { pageSettings } from './site.ts';

/** The site from its sources, with hot reload. */
export async function createDevSite(
  root: string,
  backend: Backend,
  config: Config,
  log: Logger,
  server: Server,
): Promise<Handler> {
  const { createServer: createVite } = await import('vite');
  const vite = await createVite({
    root,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server } },
  });
  return (request, { incoming, outgoing }) =>
    new Promise((resolve, reject) => {
      const page = async () => {
        const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild;
        const { createHandler } = build.entry.module as unknown as typeof Entry;
        const settings = pageSettings(backend, config);
        return createHandler(build, 'development', settings, backend.fetch, (fields, message) =>
          log.error(fields, message),
        )(request);
      };
      outgoing.once('finish', () => resolve(RESPONSE_ALREADY_SENT));
      vite.middlewares(incoming as IncomingMessage, outgoing as ServerResponse, () =>
        page().then(resolve, reject),
      );
    });
}
