import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { statisticsSession, useStatisticsAllowed } from '#app/frame/cookies/cookie-choice.ts';
import { useSession } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';

/** Logs each page that is opened, for visitors who agreed to statistics; for the others nothing leaves the browser. */
export function usePageViews(): void {
  const { pathname } = useLocation();
  const session = useSession();
  const allowed = useStatisticsAllowed();
  const sessionLoaded = session !== undefined;
  const memberId = session?.member?.id ?? null;
  useEffect(() => {
    if (!allowed || !sessionLoaded) return;
    const view = {
      page_path: pathname,
      user_id: memberId,
      session_id: statisticsSession(),
      viewed_at: new Date().toISOString(),
    };
    void browserClient()
      .then((db) => db.from('page_views').insert(view))
      .then(({ error }) => error && console.warn('page view:', error.message));
  }, [allowed, sessionLoaded, memberId, pathname]);
}
