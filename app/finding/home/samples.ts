import type { SolutionCardData } from '#app/solution/solutions/data.ts';
import child from './child.svg';
import hook from './hook.svg';
import transtibial from './transtibial.svg';

const sample = (
  card: Omit<SolutionCardData, 'language' | 'likes_count' | 'comments_count' | 'day'>,
): SolutionCardData => ({
  ...card,
  language: 'en',
  likes_count: 0,
  comments_count: 0,
  day: '2026-11-02',
});

/**
 * Samples the home page shows while there is no real solution to feature; they lead to browse, not to a
 * solution.
 */
export const sampleSolutions = [
  sample({
    id: 'sample-1',
    title: 'Carbon socket and pin-lock liner for long training days',
    description:
      'A laminated socket over a flexible inner, trimmed low behind the knee so that an athlete can sprint, squat and sit without chafing.',
    thumbnail_url: transtibial,
    occupation: 'Athlete',
    amputation_level: 'Transtibial (Below Knee)',
    materials: 'Carbon Fiber, Silicone +1 more',
    author: 'Maren Okafor',
    profession: 'Prosthetist',
  }),
  sample({
    id: 'sample-2',
    title: 'Body-powered split hook with a low-friction cable for kitchen work',
    description:
      'A lined housing and a ball-bearing redirect let a chef hold a pan handle all evening without the shoulder tiring.',
    thumbnail_url: hook,
    occupation: 'Chef',
    amputation_level: 'Transradial (Below Elbow)',
    materials: 'Carbon Fiber, Aluminum',
    author: 'Aled Prosser',
    profession: 'Prosthetist',
  }),
  sample({
    id: 'sample-3',
    title: 'Printed hand for a student, resized each school year',
    description:
      'A parametric model driven by four measurements. Printed overnight, fitted the next morning and strong enough for a school bag.',
    thumbnail_url: child,
    occupation: 'Student',
    amputation_level: 'Transradial (Below Elbow)',
    materials: '3D-Printed PLA, Thermoplastic',
    author: 'Dr Priya Raman',
    profession: 'Rehabilitation Doctor',
  }),
] as const;
