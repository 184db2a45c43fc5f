import { ClipboardCheck } from 'lucide-react';
import { unwrap } from '#app/errors.ts';
import type { Kind } from '#app/frame/kinds/kind.ts';
import { onSolution, removeFrom, writtenContent } from '#app/frame/kinds/reported.ts';
import { authorColumns } from '#app/frame/members/names.ts';
import { resultLabel } from './results.ts';

export const trial = {
  waiting: {
    kind: 'trial',
    name: 'Trial report',
    icon: ClipboardCheck,
    section: ['trials', 'Trial reports'],
    count: (count) => (count === 1 ? '1 trial report' : `${count} trial reports`),
    oldest: 'the oldest trial report',
    failed: 'Failed to load trial reports',
    empty: 'No trial reports to review',
    review: async () => (await import('./trial-review.tsx')).TrialReview,
  },
  reported: {
    kind: 'trial',
    name: 'Trial report',
    async read(db, id) {
      const [row] = unwrap(
        await db
          .from('solution_trials')
          .select(
            `language,result,changes,experience,created_at,solution_id,solution:solutions(title),user_id,author:profiles!solution_trials_user_id_fkey(${authorColumns})`,
          )
          .eq('id', id),
      );
      if (!row) return null;
      const text = [resultLabel(row.result), row.changes, row.experience].filter(Boolean).join('\n');
      return { ...writtenContent({ ...row, text }), ...onSolution(row, `#trial-${id}`) };
    },
    removal: {
      warning: 'The trial report will be permanently deleted and its reports closed.',
      subject: 'Your trial report was removed',
      remove: removeFrom('solution_trials'),
    },
  },
  acts: {
    trial_approved: 'Trial report approved',
    trial_rejected: 'Trial report rejected',
    trial_deleted: 'Trial report deleted',
    trial_answer_removed: 'Answer to a trial report removed',
  },
} satisfies Kind;
