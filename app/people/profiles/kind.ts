import { unwrap } from '#app/errors.ts';
import type { Kind } from '#app/frame/kinds/kind.ts';
import { authorColumns, authorName } from '#app/frame/members/names.ts';

export const profile = {
  reported: {
    kind: 'profile',
    name: 'Profile',
    async read(db, id) {
      const [row] = unwrap(
        await db.from('profiles').select(`${authorColumns},bio,bio_language`).eq('id', id),
      );
      if (!row) return null;
      const name = authorName(row.id, row);
      return {
        preview: name,
        isTitled: true,
        text: row.bio,
        language: row.bio_language,
        createdAt: null,
        authorId: row.id,
        authorName: name,
        href: row.username ? `/members/${row.username}` : '',
        context: null,
        within: null,
      };
    },
  },
  target: { type: 'profile', name: 'member' },
} satisfies Kind;
