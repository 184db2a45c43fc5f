import type { Schemas } from '#app/errors.ts';

/** What readers see of a member's registration; all null where none is stated. */
export interface ShownRegistration {
  /** A check is of a profession, and ends with it. */
  profession: string | null;
  registration_level: string | null;
  /** The register's short name. */
  registration_register: string | null;
  /** A day; null unless it is checked. */
  registration_checked_on: string | null;
}

export interface Author extends ShownRegistration {
  id: string;
  username: string | null;
  full_name: string | null;
  avatar_url: string | null;
}

/** Checks an author in a response to `rpc`. */
export const authorSchema = (z: Schemas) =>
  z.nullable(
    z.object({
      id: z.string(),
      username: z.nullable(z.string()),
      full_name: z.nullable(z.string()),
      profession: z.nullable(z.string()),
      avatar_url: z.nullable(z.string()),
      ...registrationShape(z),
    }),
  );

/** The fields of a ShownRegistration in a schema. */
export const registrationShape = (z: Schemas) => ({
  registration_level: z.nullable(z.string()),
  registration_register: z.nullable(z.string()),
  registration_checked_on: z.nullable(z.string()),
});

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
