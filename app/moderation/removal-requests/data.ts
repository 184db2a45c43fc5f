import { type AnswerOf, dataOf, messageOf, readAnswer, type Schemas } from '#app/errors.ts';
import { pictureOf } from '#app/solution/build-files/build-file.ts';
import { withOpenPictures } from '#app/solution/solutions/private-files.ts';
import type { Client, ClientSource } from '#app/supabase.ts';
import type { Problem } from '#app/ui/controls/error-summary.tsx';

/** The kinds of sender: as the form words them, and as moderators see them. */
export const REQUESTER_ROLES = [
  { value: 'patient', label: 'I’m in the image', moderatorLabel: 'A person in the image' },
  {
    value: 'guardian',
    label: 'I’m the parent or guardian of someone in the image',
    moderatorLabel: 'A parent or guardian of someone in the image',
  },
  {
    value: 'representative',
    label: 'I act for someone in the image',
    moderatorLabel: 'A representative of someone in the image',
  },
] as const;

export const MAX_REASON_LENGTH = 2000;
const MAX_EMAIL_LENGTH = 254;

/** A request as its form holds it. */
export interface RemovalRequestFields {
  tracking: string;
  solution: string;
  /** Undefined for all pictures of the solution. */
  pictures?: string[];
  asker: string;
  reason: string;
  email: string;
}

/** The form's fields, with the message for each that is invalid. */
export function readRemovalRequest(
  solution: string,
  form: FormData,
): { request: RemovalRequestFields; problems: Problem[] } {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const request = {
    // Provided by the page, so that a repeated request creates no second one; without scripts by the server.
    tracking: text('tracking') || crypto.randomUUID(),
    solution,
    ...(form.has('all') ? {} : { pictures: form.getAll('picture').map(String) }),
    asker: text('asker'),
    reason: text('reason'),
    email: text('email'),
  };
  const problems: Problem[] = [];
  if (request.pictures?.length === 0) problems.push({ id: 'pictures', message: 'Choose at least one image' });
  if (!REQUESTER_ROLES.some(({ value }) => value === request.asker))
    problems.push({ id: 'asker', message: 'Please say who you are' });
  if (request.reason.length > MAX_REASON_LENGTH)
    problems.push({
      id: 'reason',
      message: `Use ${MAX_REASON_LENGTH.toLocaleString('en-GB')} characters or fewer`,
    });
  // The length first: the pattern for the address must not search a text without limit.
  if (
    request.email.length > MAX_EMAIL_LENGTH ||
    (request.email && !/^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$/.test(request.email))
  )
    problems.push({ id: 'email', message: 'Enter an email address, such as name@example.org' });
  return { request, problems };
}

/**
 * Sends a request.
 *
 * @returns the id under which it can be followed, or the messages for invalid fields
 */
export async function sendRemovalRequest(
  db: Client,
  solution: string,
  form: FormData,
): Promise<{ tracking: string } | { problems: Problem[]; filled: RemovalRequestFields }> {
  const { request, problems } = readRemovalRequest(solution, form);
  if (problems.length > 0) return { problems, filled: request };
  const { error } = await db.rpc('request_removal', request);
  if (!error) return { tracking: request.tracking };
  // Only messages written for the sender: too many requests, and pictures that were removed in the meantime.
  const isForSender = error.code === 'PT429' || error.code === 'PT404';
  const message = isForSender ? messageOf(error, '') : '';
  return {
    problems: [{ message: message || 'Your request couldn’t be sent. Please try again.' }],
    filled: request,
  };
}

const requestState = (z: Schemas) =>
  z.nullable(
    z.object({
      status: z.oneOf(['received', 'hidden', 'removed', 'kept']),
      pictures: z.number(),
      created_at: z.string(),
      hidden_at: z.nullable(z.string()),
      resolved_at: z.nullable(z.string()),
      answer: z.nullable(z.string()),
      by_mail: z.boolean(),
      /** While it is public. */
      solution_id: z.nullable(z.string()),
    }),
  );

export type RemovalRequestState = NonNullable<AnswerOf<typeof requestState>>;

/** The state of a request; null when the id is unknown. */
export const removalRequestState = async (client: ClientSource, tracking: string) =>
  readAnswer((await client()).rpc('removal_request_state', { tracking }), requestState);

/** Title, pictures and build files of a public solution whose removal can be requested; null when there is none. */
export async function solutionPictures(client: ClientSource, id: string) {
  const db = await client();
  const data = dataOf(
    await db
      .from('solutions')
      .select(
        'id,title,media:solution_media(id,thumbnail_url,media_type,description),files:solution_files(id,file_url,file_name,previews)',
      )
      .eq('id', id)
      .eq('status', 'approved')
      .order('position', { referencedTable: 'solution_media' })
      .order('position', { referencedTable: 'solution_files' })
      .maybeSingle(),
  );
  if (!data) return null;
  const { files, ...solution } = data;
  const pictures = [
    ...solution.media,
    ...files.map((file) => ({
      id: file.id,
      thumbnail_url: pictureOf(file) ?? null,
      media_type: 'file',
      description: file.file_name,
    })),
  ];
  return { ...solution, media: await withOpenPictures(db, pictures) };
}
