import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'app',
  // server/build.ts builds beside the place where a running site reads.
  buildDirectory: process.env.BUILD_DIRECTORY ?? 'build',
  ssr: true,
  // Every route is named in the first document's manifest, so that no visit costs a look-up of routes.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
