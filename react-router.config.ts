import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'app',
  buildDirectory: 'build',
  ssr: true,
  // Every route is named in the first document's manifest, so that no visit costs a look-up of routes.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
