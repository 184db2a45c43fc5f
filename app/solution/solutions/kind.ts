import { ImageOff } from 'lucide-react';
import { unwrap } from '#app/errors.ts';
import type { Kind } from '#app/frame/kinds/kind.ts';
import { titledContent } from '#app/frame/kinds/reported.ts';
import { authorColumns } from '#app/frame/members/names.ts';
import { withdrawSolution } from '#app/solution/withdrawals/data.ts';

export const solution = {
  waiting: {
    kind: 'solution',
    name: 'Solution',
    icon: ImageOff,
    section: ['solutions', 'Pending Solutions'],
    count: (count) => (count === 1 ? '1 solution' : `${count} solutions`),
    oldest: 'the oldest solution',
    failed: 'Failed to load pending solutions',
    empty: 'No solutions to review',
    review: async () => (await import('#app/solution/solution-review/solution-review.tsx')).SolutionReview,
  },
  reported: {
    kind: 'solution',
    name: 'Solution',
    async read(db, id) {
      const [row] = unwrap(
        await db
          .from('solutions')
          .select(
            `title,text:description,language,created_at,user_id,author:profiles!solutions_user_id_fkey(${authorColumns})`,
          )
          .eq('id', id),
      );
      return row ? { ...titledContent(row), href: `/solutions/${id}` } : null;
    },
    removal: {
      warning: 'The solution will be permanently deleted and its reports closed.',
      subject: 'Your solution was removed',
      remove: (db, id, reason) =>
        withdrawSolution(db, id, reason).then(
          () => true,
          (error: { code?: string }) => {
            if (error.code !== 'PT404') throw error;
            return false;
          },
        ),
    },
  },
  acts: {
    solution_approved: 'Solution approved',
    solution_rejected: 'Solution rejected',
    solution_deleted: 'Solution deleted',
    version_removed: 'Text of a version removed',
  },
  target: { type: 'solution', path: '/solutions/' },
} satisfies Kind;
