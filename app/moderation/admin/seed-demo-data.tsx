import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Database } from 'lucide-react';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { seedDemoData } from './data.ts';

/** Adds the demo content; existing rows stay. */
export function SeedDemoData() {
  const cache = useQueryClient();
  const seeding = useMutation({
    mutationFn: async () => seedDemoData(await browserClient()),
    onSuccess: () => {
      toast({ tone: 'success', title: 'Demo data added', text: 'Existing content was not changed.' });
      void cache.invalidateQueries();
    },
    onError: ({ message }) => toast({ tone: 'error', title: 'Failed to seed demo data', text: message }),
  });
  return (
    <Button
      size="bar"
      className="mt-6"
      busy={seeding.isPending && 'Seeding'}
      onClick={() => seeding.mutate()}
    >
      <Database className="size-5" strokeWidth={1.75} aria-hidden />
      Seed Demo Data
    </Button>
  );
}
