import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useViewer } from '#app/session.ts';
import { useMemberOnly } from '#app/sign-in-first.ts';
import { pageTitle } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { TabPanel, Tabs } from '#app/ui/tabs.tsx';
import { toast } from '#app/ui/toasts.tsx';
import { pendingQuery } from './data.ts';
import { PendingSolutions } from './pending-solutions.tsx';

export const meta = () => [{ title: pageTitle('Admin Dashboard') }, { name: 'robots', content: 'noindex' }];

export default function AdminPage() {
  const navigate = useNavigate();
  useMemberOnly();
  const viewer = useViewer();

  useEffect(() => {
    if (viewer && !viewer.isModerator) {
      toast({ tone: 'error', title: 'Access Denied', text: "You don't have permission to access this page" });
      void navigate('/', { replace: true });
    }
  }, [viewer, navigate]);

  return (
    <div className="page py-8 md:py-10">
      <h1 className="mb-5 text-2xl md:text-3xl">Admin Dashboard</h1>
      {viewer?.isModerator ? (
        <Dashboard isAdmin={viewer.isAdmin} />
      ) : (
        <div className="flex flex-col gap-7">
          <Skeleton className="h-12" />
          <Skeleton className="h-96" />
        </div>
      )}
    </div>
  );
}

function Dashboard({ isAdmin }: { isAdmin: boolean }) {
  const count = useQuery(pendingQuery(browserClient)).data?.length;
  return (
    <Tabs
      label="Sections of the dashboard"
      value="pending"
      onChange={() => {}}
      tabs={[{ value: 'pending', label: 'Pending Solutions', count }]}
    >
      <TabPanel value="pending">
        <PendingSolutions isAdmin={isAdmin} />
      </TabPanel>
    </Tabs>
  );
}
