import type { Kind } from '#app/frame/kinds/kind.ts';
import { readCollection } from './data.ts';

export const collection = {
  reported: {
    kind: 'collection',
    name: 'Collection',
    async read(db, id) {
      const row = await readCollection(db, id);
      // Its owner may no longer share it.
      if (!row?.is_shared) return null;
      return {
        preview: row.title,
        isTitled: true,
        text: row.items
          .map(({ note, solution }) => (note ? `${solution.title}: ${note}` : solution.title))
          .join('\n\n'),
        language: row.language,
        createdAt: null,
        authorId: row.user_id,
        authorName: row.owner,
        href: `/collections/${id}`,
        context: null,
        within: null,
      };
    },
  },
  acts: { collection_unshared: 'Sharing of a collection stopped' },
} satisfies Kind;
