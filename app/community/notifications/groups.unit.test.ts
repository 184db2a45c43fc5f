import { describe, expect, it } from 'vitest';
import { partsOf } from '#app/frame/kinds/notice-type.ts';
import { noticeTypeOf } from '#app/notice-types.ts';
import type { Notification } from './data.ts';
import { actorsOf, byTime, type Group, groupNotifications, lineOf, linkOf } from './groups.ts';

const person = (name: string) => ({
  id: name,
  username: name.toLowerCase(),
  full_name: name,
  profession: null,
  avatar_url: null,
  registration_level: null,
  registration_register: null,
  registration_checked_on: null,
});
const notification = (id: string, type: string, changes: Partial<Notification> = {}): Notification => ({
  id,
  type,
  is_read: false,
  created_at: '2026-11-01T10:00:00Z',
  actor: person('Amara'),
  solution: {
    id: 's1',
    language: 'en',
    title: 'A bow',
    safety_kind: null,
    rejection_reason: null,
    thumbnail_url: null,
    safety_notices: [],
  },
  trial: null,
  comment: null,
  topic: null,
  post: null,
  message: null,
  suggestion: null,
  report: null,
  badge: null,
  part_notice: null,
  removal_request_id: null,
  use_question_id: null,
  ...changes,
});

const lineOfOne = (one: Notification) => lineOf({ latest: one, all: [one] });

const topic = { id: 't1', title: 'Liners', language: 'en' };
const solutionOf = (id: string) => ({ ...notification('', 'like').solution, id }) as Notification['solution'];

describe('notifications of one thing', () => {
  it('are shown together whatever their kind, new and old apart, in the place of the newest', () => {
    const groups = groupNotifications([
      notification('1', 'like'),
      notification('2', 'comment'),
      notification('3', 'like', { is_read: true, actor: person('Cleo') }),
      notification('4', 'like', { solution: solutionOf('s2') }),
      notification('5', 'trial_received', { trial: { result: 'worked' } }),
      notification('6', 'forum_reply', {
        solution: null,
        topic,
        post: { id: 'p1', content: 'x', language: 'en' },
      }),
      notification('7', 'message'),
      notification('8', 'message'),
      notification('9', 'forum_reply', { solution: null, topic }),
    ]);
    expect(groups.map(({ all }) => all.map(({ id }) => id))).toEqual([
      ['1', '2', '5'],
      ['3'],
      ['4'],
      ['6', '9'],
      ['7'],
      ['8'],
    ]);
  });

  it('say how many of each kind there are, with how the trials went and the newest that was written', () => {
    const lineOfAll = (...all: Notification[]) => lineOf(groupNotifications(all)[0] as Group);
    const wrote = (id: string, content: string) =>
      notification(id, 'comment', { comment: { id: `c${id}`, content, language: 'de' } });
    const trial = (id: string, result: string, name: string) =>
      notification(id, 'trial_received', { trial: { result }, actor: person(name) });
    expect(
      lineOfAll(
        notification('1', 'like'),
        trial('2', 'did_not_work', 'Ben'),
        wrote('3', 'Welche Feder?'),
        notification('4', 'solution_approved', { actor: null }),
        wrote('5', 'Hält es?'),
        notification('6', 'like', { actor: person('Cleo') }),
      ),
    ).toMatchObject({
      about: 'A bow',
      counts: 'approved, 1 trial report (did not work), 2 comments, 2 likes',
      detail: 'Welche Feder?',
      detailLanguage: 'de',
      isNewest: true,
      result: undefined,
    });
    expect(lineOfAll(trial('1', 'worked', 'Ben'), trial('2', 'did_not_work', 'Cleo')).counts).toBe(
      '2 trial reports (1\u00a0worked, 1\u00a0did not work)',
    );
    expect(lineOfAll(wrote('1', 'Hält es?'), notification('2', 'like'))).toMatchObject({
      counts: '1 comment, 1 like',
      detail: 'Hält es?',
      isNewest: false,
    });
    const [reply, mention] = [
      { solution: null, topic, post: { id: 'p1', content: 'x', language: 'en' } },
      { solution: null, topic },
    ];
    expect(
      lineOfAll(notification('1', 'forum_reply', reply), notification('2', 'forum_reply', mention)).counts,
    ).toBe('1 mention of you, 1 reply');
    expect(lineOfOne(notification('1', 'like')).counts).toBeUndefined();
  });

  it('say of a report what it was about', () => {
    const one = notification('1', 'report_dismissed', { solution: null, report: { title: 'A bow' } });
    expect(lineOfOne(one)).toMatchObject({
      headline: '{actor} closed your report about {about}',
      about: 'A bow',
    });
  });

  it('say of badges which, and of one trial how it went', () => {
    const [badges] = groupNotifications([
      notification('1', 'badge_earned', { solution: null, badge: { name: 'Mentor' } }),
      notification('2', 'badge_earned', { solution: null, badge: { name: 'Ten solutions' } }),
    ]);
    expect(badges && lineOf(badges)).toMatchObject({
      headline: 'You earned badges',
      about: 'Mentor, Ten solutions',
    });
    const alone = notification('3', 'trial_received', { trial: { result: 'did_not_work' } });
    expect(lineOfOne(alone).result).toBe('did_not_work');
  });

  it('name the newest and count the others', () => {
    const by = (...names: (string | null)[]) => {
      const [group] = groupNotifications(
        names.map((name, index) => notification(`${index}`, 'like', { actor: name ? person(name) : null })),
      );
      const { names: said, others } = group ? actorsOf(group) : { names: [], others: 0 };
      return [...said, others];
    };
    expect(by('Amara')).toEqual(['Amara', 0]);
    expect(by('Amara', 'Ben')).toEqual(['Amara', 'Ben', 0]);
    expect(by('Amara', 'Ben', 'Cleo')).toEqual(['Amara', 2]);
    expect(by(null, 'Ben')).toEqual(['Someone', 'Ben', 0]);
    expect(by('Amara', 'Amara')).toEqual(['Amara', 0]);
    // What the site itself reports is by no one.
    const approved = notification('1', 'solution_approved', { actor: null });
    const actors = (...all: Notification[]) => actorsOf({ latest: approved, all });
    expect(actors(approved, notification('2', 'version_approved', { actor: null })).names).toEqual([]);
    expect(actors(approved, notification('2', 'like')).names).toEqual(['Amara']);
  });

  it('are sorted by time, by the clock of the reader, and those of one thing are grouped within a day', () => {
    // A Thursday.
    const at = (hours: number) => new Date(2026, 10, 12, hours).toISOString();
    const groups = groupNotifications([
      notification('1', 'like', { created_at: at(9) }),
      notification('2', 'like', { created_at: at(1), actor: person('Ben') }),
      notification('3', 'like', { created_at: at(-1) }),
      notification('4', 'badge_earned', { created_at: at(-30) }),
      notification('5', 'message', { created_at: at(-100) }),
    ]);
    const titles = (now: Date) =>
      byTime(groups, now).map(({ title, groups }) => [title, ...groups.map(({ all }) => all.length)]);
    expect(titles(new Date(2026, 10, 12, 18))).toEqual([
      ['Today', 2],
      ['Earlier this week', 1, 1],
      ['Before this week', 1],
    ]);
    // The week of a Sunday began six days before.
    expect(titles(new Date(2026, 10, 15)).map(([title]) => title)).toEqual([
      'Earlier this week',
      'Before this week',
    ]);
    expect(titles(new Date(2026, 10, 16)).map(([title]) => title)).toEqual(['Before this week']);
  });
});

describe('a notification', () => {
  it('has who acted and what it is about at the places of its sentence, and behind what the site itself says', () => {
    const said = (type: string, about?: string) =>
      partsOf(noticeTypeOf({ type }).headline, 'Amara', about).join('');
    expect(said('comment', 'A bow')).toBe('Amara commented on A bow');
    expect(said('message')).toBe('Amara sent you a message');
    expect(said('solution_approved', 'A bow')).toBe('Your solution was approved: A bow');
    expect(said('solution_approved')).toBe('Your solution was approved');
    // As a translation may put it; a name is no place.
    expect(partsOf('{about} mag {actor}', '{about}', 'A bow').join('')).toBe('A bow mag {about}');
  });

  it('of a notice on a part says all of it, names no solution and leads to those with the part', () => {
    const part_notice = {
      maker: 'Ottobock',
      part_number: '4R54',
      kind: 'recall',
      content: 'It shears.',
      language: 'en',
    };
    const group = groupNotifications([
      notification('1', 'part_notice', { actor: null, solution: null, part_notice }),
    ])[0] as Group;
    expect(lineOf(group)).toMatchObject({
      about: 'Ottobock 4R54',
      detail: 'Do not use. It shears.',
      isWhole: true,
      fromSite: true,
    });
    expect(linkOf(group)).toBe('/browse?q=Ottobock%204R54');
  });

  it('of a safety notice says the notice that holds', () => {
    const solution = {
      id: 's1',
      language: 'en',
      title: 'A bow',
      safety_kind: null,
      rejection_reason: null,
      thumbnail_url: null,
      safety_notices: [
        { kind: 'caution', content: 'The pin bends.', language: 'en', ended_at: '2026-10-01T10:00:00Z' },
        { kind: 'recall', content: 'Der Stift schert ab.', language: 'de', ended_at: null },
      ],
    };
    expect(lineOfOne(notification('1', 'safety_notice', { solution }))).toMatchObject({
      detail: 'Do not use. Der Stift schert ab.',
      detailLanguage: 'de',
    });
  });

  it.each([
    ['message', {}, '/messages'],
    ['comment', { comment: { id: 'c1', content: 'x', language: 'en' } }, '/solutions/s1#comment-c1'],
    ['comment_reply', {}, '/solutions/s1#comments'],
    ['like', {}, '/solutions/s1'],
    ['solution_approved', {}, '/solutions/s1'],
    ['solution_rejected', {}, '/solutions/s1'],
    [
      'forum_reply',
      { solution: null, topic, post: { id: 'p1', content: 'x', language: 'en' } },
      '/forum/t1?post=p1#post-p1',
    ],
    ['forum_reply', { solution: null, topic }, '/forum/t1'],
    ['badge_earned', { solution: null, badge: { name: 'Ten solutions' } }, '/profile'],
    ['content_deleted', { solution: null, topic }, '/forum/t1'],
    ['content_deleted', { solution: null }, '/forum'],
    ['content_deleted', {}, '/solutions/s1'],
    ['removal_request', { removal_request_id: 'r1' }, '/admin?tab=removal-requests&item=r1'],
    [
      'suggestion_approved',
      { solution: null, suggestion: { resource_name: 'ISPO', language: 'en' } },
      '/resources',
    ],
    [
      'suggestion_rejected',
      { solution: null, suggestion: { resource_name: 'ISPO', language: 'en' } },
      '/reports',
    ],
    ['report_resolved', { solution: null }, '/reports'],
    ['report_dismissed', { solution: null }, '/reports'],
    ['media_hidden', {}, '/solutions/s1'],
    ['media_removed', {}, '/solutions/s1'],
    ['media_restored', {}, '/solutions/s1'],
    ['safety_notice', {}, '/solutions/s1'],
  ])('of type %s leads to its place', (type, changes, path) => {
    const one = notification('1', type, changes);
    expect(linkOf({ latest: one, all: [one] })).toBe(path);
    expect(lineOfOne(one).headline).not.toBe('');
  });

  it('of several leads to what it names first, and there to the oldest', () => {
    const all = ['like', 'comment', 'comment', 'like'].map((type, place) =>
      notification(String(place), type, {
        comment: type === 'comment' ? { id: `c${place}`, content: 'x', language: 'en' } : null,
      }),
    );
    const [group] = groupNotifications(all);
    expect(group && linkOf(group)).toBe('/solutions/s1#comment-c2');
  });
});
