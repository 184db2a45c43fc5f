import { describe, expect, it } from 'vitest';
import type { Notification } from './data.ts';
import { actorsOf, byDay, type Group, groupNotifications, lineOf, linkOf } from './groups.ts';
import { partsOf, textOf } from './texts.ts';

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

describe('notifications of one thing', () => {
  it('are shown together, new and old apart, in the place of the newest', () => {
    const groups = groupNotifications([
      notification('1', 'like'),
      notification('2', 'comment'),
      notification('3', 'like', { actor: person('Ben') }),
      notification('4', 'like', { is_read: true, actor: person('Cleo') }),
      notification('5', 'like', {
        solution: {
          language: 'en',
          id: 's2',
          title: 'A hook',
          safety_kind: null,
          rejection_reason: null,
          thumbnail_url: null,
          safety_notices: [],
        },
      }),
      notification('6', 'comment'),
      notification('7', 'message'),
      notification('8', 'message'),
    ]);
    expect(groups.map(({ all }) => all.map(({ id }) => id))).toEqual([
      ['1', '3'],
      ['2', '6'],
      ['4'],
      ['5'],
      ['7'],
      ['8'],
    ]);
  });

  it('say of a report what it was about', () => {
    const one = notification('1', 'report_dismissed', { solution: null, report: { title: 'A bow' } });
    expect(lineOfOne(one)).toMatchObject({
      headline: '{actor} closed your report about {about}',
      about: 'A bow',
    });
  });

  it('say of badges which, and of trials nothing that one alone found', () => {
    const [badges, trials] = groupNotifications([
      notification('1', 'badge_earned', { solution: null, badge: { name: 'Mentor' } }),
      notification('2', 'badge_earned', { solution: null, badge: { name: 'Ten solutions' } }),
      notification('3', 'trial_received', { trial: { result: 'did_not_work' } }),
      notification('4', 'trial_received', { trial: { result: 'worked' }, actor: person('Ben') }),
    ]);
    expect(badges && lineOf(badges)).toMatchObject({
      headline: 'You earned badges',
      about: 'Mentor, Ten solutions',
    });
    expect(trials && [actorsOf(trials).names, lineOf(trials).result]).toEqual([['Amara', 'Ben'], undefined]);
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
  });

  it('are sorted by day, by the clock of the reader, and those of one thing are grouped within a day', () => {
    const at = (hours: number) => new Date(2026, 10, 12, hours).toISOString();
    const groups = groupNotifications([
      notification('1', 'like', { created_at: at(9) }),
      notification('2', 'like', { created_at: at(1), actor: person('Ben') }),
      notification('3', 'like', { created_at: at(-1) }),
      notification('4', 'badge_earned', { created_at: at(-30) }),
    ]);
    const titles = (now: Date) =>
      byDay(groups, now).map(({ title, groups }) => [title, groups[0]?.all.length]);
    expect(titles(new Date(2026, 10, 12, 18))).toEqual([
      ['Today', 2],
      ['Yesterday', 1],
      ['Nov\u00a010,\u00a02026', 1],
    ]);
    expect(titles(new Date(2026, 10, 14)).map(([title]) => title)).toEqual([
      'Nov\u00a012,\u00a02026',
      'Nov\u00a011,\u00a02026',
      'Nov\u00a010,\u00a02026',
    ]);
  });
});

describe('a notification', () => {
  it('has who acted and what it is about at the places of its sentence, and behind what the site itself says', () => {
    const said = (type: string, about?: string) =>
      partsOf(textOf({ type }).headline, 'Amara', about).join('');
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

  const topic = { id: 't1', title: 'Liners', language: 'en' };
  it.each([
    ['message', {}, '/messages'],
    ['comment', {}, '/solutions/s1'],
    ['comment_reply', {}, '/solutions/s1'],
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
    ['removal_request', { removal_request_id: 'r1' }, '/admin?tab=removal-requests&request=r1'],
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
});
