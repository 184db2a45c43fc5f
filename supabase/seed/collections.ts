import type { SupabaseClient } from '@supabase/supabase-js';
import { complete, daysAgo, idOf, isComplete, memberId, must, UNFINISHED } from './rows.ts';

/** The collections of the demo member: each case with what they noted on it. */
const demoCollections: { title: string; is_shared: boolean; days_ago: number; notes: [string, string?][] }[] =
  [
    {
      title: 'Used in clinic',
      is_shared: false,
      days_ago: 40,
      notes: [
        [
          'Cable routing that ends the squeak of a body-powered hook',
          'Fitted twice. The second time with a wider bend at the elbow, which was quieter.',
        ],
        ['Pen holder that writes from the shoulder', 'Try the longer lever for left-handers.'],
        ['Quick-change coupling between walking foot and blade'],
      ],
    },
    {
      title: 'Music, sport and play',
      is_shared: true,
      days_ago: 12,
      notes: [
        [
          'Running blade set up for forest trails',
          'Read the alignment steps before the first session on soft ground.',
        ],
        ['Handlebar gripper for a first bicycle', 'Check the break-away force with the child’s own weight.'],
        ['Swim fin that clips to a transtibial socket'],
        ['Printed hand a six-year-old puts on alone', 'Parents ask for this one most.'],
      ],
    },
  ];

/** What the demo member follows. */
const demoFollows: Record<string, unknown>[] = [
  { member_id: memberId('priya') },
  { member_id: memberId('grace') },
  { member_id: memberId('tomasz') },
  { tag: 'terminal device' },
  { tag: 'paediatric' },
  { solution_id: idOf('solution', 'Running blade set up for forest trails') },
  { search: '', filters: ['Transradial (Below Elbow)'], match: 'all' },
  { search: 'socket', filters: ['Low-cost (<$500)'], match: 'all' },
];

/** Adds what the demo member saved and follows; existing rows stay as they are. */
export async function seedCollections(client: SupabaseClient) {
  const user_id = memberId('amara');
  for (const { title, notes, days_ago, ...fields } of demoCollections) {
    const id = idOf('collection', title);
    if (await isComplete(client, 'collections', id)) continue;
    await must(client.from('collections').insert({ ...fields, id, user_id, title, created_at: UNFINISHED }));
    await must(
      client.from('collection_items').insert(
        notes.map(([solution, note], index) => ({
          collection_id: id,
          user_id,
          solution_id: idOf('solution', solution),
          note: note ?? null,
          created_at: daysAgo(days_ago / (index + 1)),
        })),
      ),
    );
    await complete(client, 'collections', id, daysAgo(days_ago));
  }
  for (const subject of demoFollows) {
    const id = idOf('follow', JSON.stringify(subject));
    await must(
      client
        .from('follows')
        .upsert({ ...subject, id, user_id, created_at: daysAgo(30) }, { ignoreDuplicates: true }),
    );
  }
}
