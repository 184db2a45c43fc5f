import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { toCard } from '#app/solution/solutions/data.ts';
import { SolutionCard } from './solution-card.tsx';

const author = {
  id: 'a',
  username: 'maren',
  full_name: 'Maren Okafor',
  profession: 'Physiotherapist',
  avatar_url: null,
  registration_level: null,
  registration_register: null,
  registration_checked_on: null,
};
const solution: Parameters<typeof toCard>[0] = {
  audience: 'public',
  id: 's',
  language: 'en',
  title: 'A liner for long days',
  description: 'A description.',
  thumbnail_url: '/storage/v1/object/public/solution-media/liner.webp',
  occupation: 'Walking',
  amputation_level: 'Partial Foot',
  materials: ['Silicone', 'Titanium', 'Aluminum', 'Carbon Fiber'],
  likes_count: 12,
  comments_count: 3,
  created_at: '2026-03-04T23:30:00Z',
  user_id: 'a',
  author,
  badges: [],
  video_seconds: null,
  safety_kind: null,
  has_outcomes: false,
  tried_count: 0,
  has_files: false,
};
const html = (changes: Partial<typeof solution>, unknown?: string) =>
  renderToStaticMarkup(
    <RouterProvider
      router={createMemoryRouter([
        {
          path: '/',
          element: <SolutionCard solution={toCard({ ...solution, ...changes }, unknown)} />,
        },
      ])}
    />,
  );
/** The URL form of files in a Supabase project. */
const htmlOfProject = () =>
  renderToStaticMarkup(
    <RouterProvider
      router={createMemoryRouter(
        [{ id: 'root', path: '/', element: <SolutionCard solution={toCard(solution)} /> }],
        {
          hydrationData: { loaderData: { root: { supabase: { url: 'https://project.example' } } } },
        },
      )}
    />,
  );
/** What is read aloud: the texts, and the names of the icons that have one. */
const text = (changes: Partial<typeof solution>, unknown?: string) =>
  html(changes, unknown)
    .replaceAll(/<i[^>]* (?:aria-label|title)="([^"]*)"[^>]*>/g, ' $1 ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

it('shows level, occupation, two materials and how many more, author, profession, day and counts', () => {
  const cardText = text({});
  for (const part of [
    'Partial Foot A liner for long days A description. Walking',
    'Silicone, Titanium +2 more',
    'Maren Okafor',
    'Likes 12 Comments 3',
    'Physiotherapist · Mar 4, 2026',
  ])
    expect(cardText).toContain(part);
});

it('has three places for evidence, each always the same, and no line where there is none', () => {
  const places = (changes: Partial<typeof solution>) =>
    [...html(changes).matchAll(/<li[^>]*>([^<]*)</g)].map(([, words]) => words);
  expect(places({ tried_count: 7, has_outcomes: true, has_files: true })).toEqual([
    'Tried by 7',
    'Outcomes',
    'Build files',
  ]);
  expect(places({ has_files: true })).toEqual(['', '', 'Build files']);
  expect(html({})).not.toContain('Evidence');
});

it('has at most seven marks', () => {
  const everything = html({
    tried_count: 7,
    has_outcomes: true,
    has_files: true,
    video_seconds: 12,
    safety_kind: 'caution',
    badges: [{ name: 'Mentor', icon_url: '/badges/mentor.svg' }],
    author: { ...author, registration_level: 'declared' },
  });
  const marks =
    everything.match(/class="[^"]*(badge|icon|card-video|card-level|card-evidence)\b[^"]*"/g) ?? [];
  expect(marks.length).toBeLessThanOrEqual(7);
});

it('says "+N more" only of a third material', () => {
  expect(text({ materials: ['Silicone', 'Titanium'] })).not.toContain('more');
  expect(text({ materials: ['Silicone', 'Titanium', 'Aluminum'] })).toContain('+1 more');
  expect(text({ materials: [] })).not.toContain('more');
});

it('shows no device where the solution has no image', () => {
  expect(html({ thumbnail_url: null })).toMatch(/src="[^"]*no-image[^"]*\.svg/);
});

it('says two badges of the author, and no third, in words', () => {
  const badges = ['Mentor', 'Contributor', 'Appreciated'].map((name) => ({ name, icon_url: '' }));
  expect(text({ badges })).toContain('Badges: Mentor, Contributor');
  expect(text({ badges })).not.toContain('Appreciated');
});

it('says in words whether the author’s registration was checked or is their own word, and nothing without one', () => {
  const checked = {
    registration_level: 'checked',
    registration_register: 'HCPC',
    registration_checked_on: '2026-11-12',
  };
  expect(text({ author: { ...author, ...checked } })).toContain(
    'Physiotherapist · Checked: HCPC · Mar 4, 2026',
  );
  expect(text({ author: { ...author, registration_level: 'declared' } })).toContain(
    'Physiotherapist · Self-declared · Mar 4, 2026',
  );
  expect(html({ author })).not.toMatch(/Checked|Self-declared/);
});

it.each([
  ['Maren Okafor', author, 'a'],
  ['maren', { ...author, full_name: null }, 'a'],
  ['Anonymous', { ...author, full_name: null, username: null }, 'a'],
  ['Anonymous', null, 'a'],
  ['Former member', null, null],
])('calls the author %s', (name, profile, userId) => {
  expect(text({ author: profile, user_id: userId })).toContain(`${name} `);
});

it('calls an author without a profile "Unknown" in browse, and one without a profession "Professional"', () => {
  expect(text({ author: null }, 'Unknown')).toContain('Unknown');
  expect(text({ author: { ...author, profession: null } })).toContain('Professional ·');
});

it('offers its picture as small as it is shown, and asks no Supabase project to make one', () => {
  const rendered = '/storage/v1/render/image/public/solution-media/liner.webp';
  expect(html({})).toContain(
    `srcSet="${rendered}?width=400&amp;height=225 400w,${rendered}?width=672&amp;height=378 672w"`,
  );
  const whole = 'https://project.example/storage/v1/object/public/solution-media/liner.webp';
  expect(htmlOfProject()).toContain(`src="${whole}"`);
  for (const markup of [htmlOfProject(), html({ thumbnail_url: 'blob:x' }), html({ thumbnail_url: null })])
    expect(markup).not.toContain('srcSet');
});
