import type { AnswerOf, Schemas } from '#app/errors.ts';

/** The fields of an author in a response to `rpc`. */
export const authorFields = (z: Schemas) => ({
  id: z.string(),
  username: z.nullable(z.string()),
  full_name: z.nullable(z.string()),
  /** A check of the registration is of a profession, and ends with it. */
  profession: z.nullable(z.string()),
  avatar_url: z.nullable(z.string()),
  registration_level: z.nullable(z.string()),
  /** The register's short name. */
  registration_register: z.nullable(z.string()),
  /** A day; null unless it is checked. */
  registration_checked_on: z.nullable(z.string()),
});

/** Checks an author in a response to `rpc`. */
export const authorSchema = (z: Schemas) => z.nullable(z.object(authorFields(z)));

export type Author = NonNullable<AnswerOf<typeof authorSchema>>;

/** What readers see of a member's registration; all null where none is stated. */
export type ShownRegistration = Pick<
  Author,
  'profession' | 'registration_level' | 'registration_register' | 'registration_checked_on'
>;

/** The columns of `profiles` that an author is shown by. */
export const authorColumns =
  'id,username,full_name,profession,avatar_url,registration_level,registration_register,registration_checked_on';

/**
 * The displayed name of an author: a deleted member is a former member, a member whose profile cannot be read is
 * `unknown`, and a profile without a name is anonymous.
 */
export function authorName(userId: string | null, author: Author | null, unknown = 'Unknown'): string {
  if (!userId) return 'Former member';
  if (!author) return unknown;
  return author.full_name ?? author.username ?? 'Anonymous';
}

/** The address of an ORCID iD, which is its whole form. */
export const orcidUrl = (orcid: string) => `https://orcid.org/${orcid}`;

/** What stands beside an author’s name; a general word for an author who has named no profession. */
export function professionOf(author: Author | null): string {
  return author?.profession || 'Professional';
}
