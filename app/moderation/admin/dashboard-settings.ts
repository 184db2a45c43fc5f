import { createContext } from 'react-router';

/** The operator's settings for the dashboard. */
export interface DashboardSettings {
  /** The bytes that the published media may take. */
  storageQuota: number;
  /** Whether demo content may be added: never in production. */
  demoContent: boolean;
}

/** The defaults without configuration: the free tier. */
export const dashboardContext = createContext<DashboardSettings>({
  storageQuota: 1024 ** 3,
  demoContent: false,
});
