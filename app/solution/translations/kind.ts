import { Languages } from 'lucide-react';
import { unwrap } from '#app/errors.ts';
import type { Kind } from '#app/frame/kinds/kind.ts';
import { onSolution, removeFrom, writtenContent } from '#app/frame/kinds/reported.ts';
import { authorColumns } from '#app/frame/members/names.ts';
import { textsSchema } from './texts.ts';

export const translation = {
  waiting: {
    kind: 'translation',
    name: 'Translation',
    icon: Languages,
    section: ['translations', 'Translations'],
    isOffered: () => false,
    count: (count) => (count === 1 ? '1 translation' : `${count} translations`),
    oldest: 'the oldest translation',
    failed: 'Failed to load translations',
    empty: 'No translations to review',
    review: async () => (await import('./translation-review.tsx')).TranslationReview,
  },
  reported: {
    kind: 'translation',
    name: 'Translation',
    async read(db, id) {
      const [row] = unwrap(
        await db
          .from('solution_translations')
          .select(
            `texts,language,created_at,solution_id,solution:solutions(title),user_id,author:profiles!solution_translations_user_id_fkey(${authorColumns})`,
          )
          .eq('id', id),
      );
      if (!row) return null;
      const text = Object.values(textsSchema.parse(row.texts)).join('\n\n');
      return { ...writtenContent({ ...row, text }), ...onSolution(row, `/translations/${row.language}`) };
    },
    removal: {
      warning: 'The translation will be permanently deleted and its reports closed.',
      subject: 'Your translation was removed',
      remove: removeFrom('solution_translations'),
    },
  },
  acts: {
    translation_approved: 'Translation approved',
    translation_rejected: 'Translation rejected',
    translation_deleted: 'Translation deleted',
  },
} satisfies Kind;
