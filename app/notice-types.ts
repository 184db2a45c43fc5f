import { noticeTypes as ofRegistrations } from '#app/account/registrations/notice-types.ts';
import { mention, noticeTypes as ofTopics } from '#app/community/forum/notice-types.ts';
import { noticeTypes as ofMessages } from '#app/community/messages/notice-types.ts';
import { noticeTypes as ofPostImages } from '#app/community/post-images/notice-types.ts';
import { noticeTypes as ofResources } from '#app/community/resources/notice-types.ts';
import { noticeTypes as ofHeldPosts } from '#app/frame/held-posts/notice-types.ts';
import type { NoticeType } from '#app/frame/kinds/notice-type.ts';
import { contentPath, type Target } from '#app/frame/kinds/paths.ts';
import { noticeTypes as ofRemovalRequests } from '#app/moderation/removal-requests/notice-types.ts';
import { noticeTypes as ofReports } from '#app/moderation/reports/notice-types.ts';
import { noticeTypes as ofCollections } from '#app/people/collections/notice-types.ts';
import { noticeTypes as ofProfiles } from '#app/people/profiles/notice-types.ts';
import { noticeTypes as ofUseQuestions } from '#app/sharing/still-in-use/notice-types.ts';
import { noticeTypes as ofTrials } from '#app/sharing/trials/notice-types.ts';
import { noticeTypes as ofComments } from '#app/solution/comments/notice-types.ts';
import { noticeTypes as ofSafetyNotices } from '#app/solution/safety-notices/notice-types.ts';
import { noticeTypes as ofSolutions } from '#app/solution/solutions/notice-types.ts';
import { noticeTypes as ofTranslations } from '#app/solution/translations/notice-types.ts';

/**
 * What a notification can be about, by the names in `private.notice_types`: each noun describes its own, and a new noun enters here.
 * Of one weight, those are said first that stand first.
 */
export const noticeTypes: Record<string, NoticeType> = {
  ...ofTrials,
  ...ofSolutions,
  ...ofTranslations,
  ...ofSafetyNotices,
  ...ofTopics,
  ...ofComments,
  ...ofHeldPosts,
  ...ofPostImages,
  ...ofMessages,
  ...ofResources,
  ...ofCollections,
  ...ofProfiles,
  ...ofRegistrations,
  ...ofUseQuestions,
  ...ofReports,
  ...ofRemovalRequests,
};

/** The names of the types that a rule picks. */
export const namesOfTypes = (picks: (type: NoticeType) => unknown): string[] =>
  Object.entries(noticeTypes).flatMap(([name, type]) => (picks(type) ? [name] : []));

/** The types of those that warn. */
export const warningTypes = namesOfTypes(({ warning }) => warning);

/** What is said of a type that only a later version of the site knows. */
const unknown: NoticeType = { headline: 'There’s an update on something you posted' };

/** A notification or an email, by its type and what it is about. */
type Notice = Target & { type: string };

/** What is said of a notification; the topic itself names who is told of a reply without one. */
export const noticeTypeOf = ({ type, post_id }: Pick<Notice, 'type' | 'post_id'>): NoticeType =>
  type === 'forum_reply' && !post_id ? mention : (noticeTypes[type] ?? unknown);

/** The path to what a notification is about, or to its former place. */
export const noticePath = (notice: Notice): string => (noticeTypeOf(notice).path ?? contentPath)(notice);

/** The name of who acted, as a sentence begins with it; moderators have none where the site names none. */
export const actorName = (type: string, name: string | null | undefined): string =>
  name ?? noticeTypes[type]?.unnamed ?? 'Someone';
