import type { Database } from '#app/database.types.ts';
import { viewerQuery } from '#app/session.ts';
import { type Actor, cast, idOf, imageOf } from './fill.ts';

type Functions = Database['public']['Functions'];

const { busy } = cast;
const solution = idOf('solution', 1);
const topic = idOf('topic', 1);
const report = { id: idOf('report', 1), content_type: 'solution', content_id: solution };
const anyChoice = { search: '', values: [], match: 'all', sort: 'newest' };

/** Queries that ask Auth alone, whose statements are about one account. */
export const ASKED_OF_AUTH = [
  'signInWaysQuery',
  'passkeysQuery',
  'secondStepQuery',
  'pendingEmailQuery',
  'identitiesQuery',
];

/** Who makes a call, and with which arguments after the client. */
type Call = [as: Actor, ...args: unknown[]];

/**
 * Every call by which the site reads, by the file of `app/` and the function that makes it: of those that make a query for
 * the cache, and of others that read.
 */
export const calls: Record<string, Record<string, Call[]>> = {
  'account/own-profile/data.ts': { ownProfileQuery: [['busy', busy]], providerNameQuery: [['busy', busy]] },
  'account/registrations/data.ts': {
    registersQuery: [['busy']],
    ownRegistrationQuery: [['busy', busy]],
    waitingRegistrationQuery: [['moderator', idOf('registration', 1)]],
  },
  'account/settings/data.ts': {
    preferencesQuery: [['busy', busy]],
    shownOrcidQuery: [['busy', busy]],
    sessionsQuery: [['busy', busy]],
  },
  'community/forum/data.ts': {
    topicsQuery: [
      ['visitor', { category: null, search: '', after: null }],
      ['visitor', { category: 'general', search: '', after: null }],
      ['visitor', { category: null, search: 'slip', after: null }],
      ['visitor', { category: null, search: 'nothing says this', after: null }],
      ['visitor', { category: null, search: '义肢接受腔', after: null }],
    ],
    topicQuery: [['busy', topic]],
    postsQuery: [
      ['visitor', topic, null],
      ['visitor', topic, 'latest'],
      ['visitor', topic, idOf('post', 200)],
    ],
  },
  'community/post-images/data.ts': {
    openImagesQuery: [['visitor', [imageOf(1)]]],
    postWithImagesQuery: [['moderator', idOf('post', 10)]],
  },
  'frame/held-posts/data.ts': {
    heldPostsQuery: [['busy', busy]],
    heldPostQuery: [['moderator', idOf('held post', 1)]],
  },
  'community/messages/data.ts': {
    conversationsQuery: [['busy', busy]],
    messagesQuery: [
      ['busy', busy, idOf('member', 1)],
      ['busy', busy, null],
    ],
    memberQuery: [['busy', idOf('member', 1)]],
  },
  'community/notifications/data.ts': {
    warningsQuery: [['busy', busy]],
    notificationsQuery: [
      ['busy', busy, 'all', false],
      ['busy', busy, 'comments', false],
      ['busy', busy, 'all', true],
    ],
  },
  'community/resources/data.ts': {
    approvedQuery: [['visitor']],
    waitingQuery: [['newcomer', cast.newcomer]],
  },
  'community/resources/suggestion-data.ts': { suggestionsQuery: [['moderator']] },
  'people/collections/data.ts': {
    collectionsQuery: [['busy', busy]],
    ownMarksQuery: [['busy', busy, solution]],
    savedQuery: [['busy', busy, [solution]]],
    collectionQuery: [['visitor', idOf('collection', 1)]],
  },
  'finding/evidence/data.ts': {
    evidenceQuery: [
      ['visitor', { measure: '', level: '', type: '' }],
      ['visitor', { measure: 'TUG', level: '', type: '' }],
      ['visitor', { measure: 'SCS', level: '', type: '' }],
    ],
  },
  'finding/home/data.ts': { siteCountsQuery: [['visitor']], memberHomeQuery: [['busy', busy]] },
  'moderation/audit-log/data.ts': {
    auditQuery: [
      ['admin', { action: '', from: '', to: '' }],
      ['admin', { action: 'solution_approved', from: '', to: '' }],
      ['admin', { action: 'role_granted', from: '', to: '' }],
      ['admin', { action: '', from: '2020-01-01', to: '2020-02-01' }],
    ],
  },
  'moderation/member-management/data.ts': {
    membersQuery: [
      ['admin', ''],
      ['admin', 'member.1'],
      ['admin', 'no such member'],
    ],
  },
  'moderation/member-management/account-data.ts': { accountQuery: [['admin', busy]] },
  'moderation/site-settings/data.ts': {
    settingsQuery: [['admin']],
    allRegistersQuery: [['admin']],
    invitationsQuery: [['admin']],
  },
  'solution/staff-notes/data.ts': {
    notesQuery: [
      ['moderator', { item: { kind: 'solution', id: solution }, memberId: busy }],
      ['admin', { item: null, memberId: busy }],
    ],
  },
  'moderation/removal-requests/moderation-data.ts': { removalRequestsQuery: [['moderator']] },
  'moderation/reports/data.ts': {
    reportQuery: [['moderator', report.id]],
    reportedQuery: [['moderator', report]],
    earlierReportsQuery: [['moderator', solution]],
  },
  'moderation/reports/own-data.ts': { ownReportsQuery: [['busy', busy]] },
  'solution/solution-review/author-history-data.ts': { authorHistoryQuery: [['moderator', busy, solution]] },
  'moderation/review-queue/data.ts': {
    queueQuery: [
      ['moderator'],
      ...[
        'solution',
        'trial',
        'translation',
        'resource',
        'report',
        'removal_request',
        'registration',
        'post',
      ].map((kind): Call => ['moderator', kind]),
    ],
    queueSummaryQuery: [['moderator']],
    outcomeQuery: [['moderator', solution]],
  },
  'moderation/storage-usage/data.ts': {
    filesQuery: [['moderator']],
    activityQuery: [['moderator']],
    ownersQuery: [['moderator', ['1.webp']]],
  },
  'people/cpd/data.ts': {
    recordQuery: [
      ['busy', busy, ''],
      ['busy', busy, '2026'],
    ],
    inDetailQuery: [['busy', busy]],
    outlineQuery: [
      ['busy', busy, ''],
      ['busy', busy, '2026'],
    ],
    yearsQuery: [['busy', busy]],
    suggestionsQuery: [['busy', busy]],
    titleQuery: [['busy', solution]],
  },
  'people/follows/data.ts': {
    followsQuery: [['busy', busy]],
    topicFollowQuery: [['busy', busy, topic]],
    newsQuery: [['busy', busy]],
    picturesQuery: [['busy', [solution]]],
  },
  'frame/members/data.ts': {
    sanctionsQuery: [['moderator', busy]],
    acceptsMessagesQuery: [['busy', idOf('member', 1)]],
    memberSearchQuery: [
      ['busy', 'member.1'],
      ['busy', 'no such member'],
      ['busy', '佐藤'],
    ],
    blockedMembersQuery: [['busy', busy]],
    hasReportedQuery: [['busy', busy, { kind: 'solution', id: solution }]],
  },
  'people/profiles/data.ts': {
    achievementsQuery: [['visitor', busy]],
    ownSolutionsQuery: [['busy', busy]],
    memberQuery: [
      ['visitor', 'cast.1'],
      ['visitor', 'member.7'],
    ],
    ownDraftsQuery: [['busy', busy]],
    badgesQuery: [['visitor']],
  },
  'session.ts': {
    [viewerQuery.name]: [['busy', busy]],
  },
  'sharing/submission/data.ts': { submissionLimitQuery: [['busy', busy]] },
  'sharing/still-in-use/data.ts': {
    sumsQuery: [
      ['visitor', solution],
      ['visitor', null],
    ],
    ownQuestionsQuery: [['busy', busy]],
    ownQuestionQuery: [['busy', idOf('question', 1), busy]],
    readLinkedQuestion: [['visitor', `${idOf('question', 1)}.${'0'.repeat(64)}`]],
  },
  'sharing/trials/data.ts': {
    trialsQuery: [
      ['visitor', solution],
      ['busy', solution],
    ],
    ownTrialsQuery: [['busy', solution, busy]],
    trialLinesQuery: [['visitor', busy]],
  },
  'sharing/trials/review-data.ts': { reviewedTrialQuery: [['moderator', idOf('waiting trial', 1)]] },
  'solution/translations/data.ts': {
    translationQuery: [['visitor', solution, 'es']],
    ownTranslationsQuery: [['busy', solution, busy]],
    reviewedTranslationQuery: [['moderator', idOf('waiting translation', 1)]],
  },
  'solution/audience/data.ts': { requiredAudienceQuery: [['visitor', solution]] },
  'solution/comments/data.ts': {
    commentsQuery: [
      ['visitor', solution, 'newest'],
      ['visitor', solution, 'oldest'],
      ['busy', solution, 'oldest'],
    ],
    readThread: [['visitor', idOf('reply', 200)]],
    readReplies: [['visitor', idOf('comment', 1), '2020-01-01~1~00000000-0000-4000-8000-000000000000']],
  },
  'solution/file-viewer/data.ts': {
    pagesQuery: [['visitor', { id: idOf('file', 1), previews: [], stored_url: '' }]],
  },
  'solution/review/data.ts': {
    reviewsQuery: [['moderator', solution, null]],
    typicalReviewTimeQuery: [['busy']],
  },
  'solution/safety-notices/data.ts': {
    earlierNoticesQuery: [['visitor', solution]],
    partCountQuery: [['moderator', { maker: 'Ottobock', part_number: '4R54' }]],
    authoritiesQuery: [['visitor']],
  },
  'solution/solutions/data.ts': {
    browseQuery: [
      ['visitor', anyChoice],
      ['moderator', { ...anyChoice, sort: 'popular' }],
      ['busy', { ...anyChoice, search: 'socket' }],
      ['visitor', { ...anyChoice, search: 'sokcet' }],
      ['visitor', { ...anyChoice, search: 'ottobock 4R7' }],
      ['visitor', { ...anyChoice, values: ['Walking'] }],
    ],
    suggestionsQuery: [['visitor', 'sock']],
    featuredQuery: [['visitor']],
    solutionQuery: [
      ['visitor', solution],
      ['busy', solution],
    ],
    relatedQuery: [['visitor', solution]],
  },
  'solution/versions/content.ts': {
    versionQuery: [['visitor', solution, 1]],
    latestVersionQuery: [['visitor', solution]],
    markedSolutionsQuery: [['visitor', [solution]]],
  },
  'solution/versions/data.ts': {
    foundSourcesQuery: [['busy', 'socket']],
    sourceQuery: [['busy', solution]],
    revisionQuery: [['busy', idOf('solution', 4)]],
    editedQuery: [['busy', solution, busy]],
  },
  'solution/withdrawals/data.ts': { withdrawnQuery: [['visitor', idOf('withdrawn', 1)]] },
};

/** Functions that the site calls for one answer, with their arguments. */
export const functions: [as: Actor, name: keyof Functions, args: Record<string, unknown>][] = [
  ['newcomer', 'name_refusals', { username: 'member.1', full_name: 'Dr Klein' }],
  ['moderator', 'registration_warnings', { registration: idOf('registration', 1) }],
  ['visitor', 'removal_request_state', { tracking: idOf('tracking', 1) }],
  ['busy', 'solution_limit_refusal', {}],
  ['visitor', 'sitemap_sizes', {}],
  ['visitor', 'sitemap_page', { kind: 'topics', page: 1 }],
  ['visitor', 'uptime', {}],
];
