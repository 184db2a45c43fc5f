import { createContext } from 'react-router';

/** What the operator configured for the dashboard. */
export interface DashboardSettings {
  /** How many bytes the published media may take. */
  storageQuota: number;
  /** Whether demo content may be added: never in production. */
  demoContent: boolean;
}

/** What holds where nothing was configured: the free tier. */
export const dashboardContext = createContext<DashboardSettings>({
  storageQuota: 1024 ** 3,
  demoContent: false,
});
