import { registration } from '#app/account/registrations/kind.ts';
import { heldPost } from '#app/community/first-posts/kind.ts';
import { reply, topic } from '#app/community/forum/kind.ts';
import { message } from '#app/community/messages/kind.ts';
import { postImages } from '#app/community/post-images/kind.ts';
import { resource } from '#app/community/resources/kind.ts';
import type { Kind } from '#app/frame/kinds/kind.ts';
import { account } from '#app/moderation/member-management/kind.ts';
import { removalRequest } from '#app/moderation/removal-requests/kind.ts';
import { report } from '#app/moderation/reports/kind.ts';
import { setting } from '#app/moderation/site-settings/kind.ts';
import { collection } from '#app/people/collections/kind.ts';
import { profile } from '#app/people/profiles/kind.ts';
import { trial } from '#app/sharing/trials/kind.ts';
import { comment } from '#app/solution/comments/kind.ts';
import { safetyNotice } from '#app/solution/safety-notices/kind.ts';
import { solution } from '#app/solution/solutions/kind.ts';
import { staffNote } from '#app/solution/staff-notes/kind.ts';
import { translation } from '#app/solution/translations/kind.ts';

/** What moderators have to do with: each noun describes itself, and a new one enters here. The dashboard has its sections in this order. */
const kinds: Kind[] = [
  solution,
  resource,
  report,
  removalRequest,
  trial,
  translation,
  registration,
  heldPost,
  postImages,
  topic,
  reply,
  comment,
  message,
  collection,
  profile,
  safetyNotice,
  staffNote,
  account,
  setting,
];

/** What waits for moderators, by its name in `review_queue`. */
export const waitingKinds = new Map(
  kinds.flatMap(({ waiting }) => (waiting ? [[waiting.kind, waiting] as const] : [])),
);

/** What members can report, by its name in `content_reports`. */
export const reportedKinds = new Map(
  kinds.flatMap(({ reported }) => (reported ? [[reported.kind, reported] as const] : [])),
);

/** The labels of the acts in the audit log. */
export const acts: Record<string, string> = Object.assign({}, ...kinds.map(({ acts }) => acts));

/** What was acted on, by its name in the audit log. */
export const targets = new Map(
  kinds.flatMap(({ target }) => (target ? [[target.type, target] as const] : [])),
);
