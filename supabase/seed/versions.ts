import { createHash } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { daysAgo, idOf, must } from './rows.ts';

/** An earlier version of a demo solution: what stood there instead, and when. */
interface DemoVersion {
  days_ago: number;
  change_note?: string;
  changes: Partial<Record<'title' | 'description' | 'durability_testing' | 'challenges_overcome', string>> & {
    materials?: string[];
  };
}

/** The earlier versions of demo solutions by their titles, the first one first, and what the present one changed. */
const demoVersions: Record<string, { change_note: string; days_ago: number; earlier: DemoVersion[] }> = {
  'Violin bow adapter with a free wrist joint': {
    change_note: 'Dimensions of the joint, and two years of wear.',
    days_ago: 0.5,
    earlier: [
      {
        days_ago: 1.6,
        changes: {
          title: 'Violin bow adapter with a wrist joint',
          description:
            'A short terminal device that holds a standard violin bow at its balance point. The joint turns freely and has a light return spring, so the bow follows the string.\n\nThe clamp is printed in two halves around the frog and screwed to it. The adapter fits a half-inch wrist unit.',
          durability_testing: 'Three months of daily practice by the first user.',
          materials: ['3D-Printed PLA', 'Aluminum'],
        },
      },
      {
        days_ago: 1,
        change_note: 'The clamp is lined with silicone, so that nothing is screwed to the bow.',
        changes: { durability_testing: 'A year of daily practice by the first user.' },
      },
    ],
  },
  'Running blade set up for forest trails': {
    change_note: 'What was learnt on wet roots.',
    days_ago: 1.5,
    earlier: [{ days_ago: 3.4, changes: { challenges_overcome: 'Grip on wet ground is not solved yet.' } }],
  },
};

/** What demo solutions are based on, by titles. */
const demoSources: Record<string, string[]> = {
  'Running blade set up for forest trails': ['Quick-change coupling between walking foot and blade'],
  'Violin bow adapter with a free wrist joint': ['Handlebar gripper for a first bicycle'],
  'Pen holder that writes from the shoulder': ['Violin bow adapter with a free wrist joint'],
  'Swim fin that clips to a transtibial socket': ['Quick-change coupling between walking foot and blade'],
};

/** A demo solution that its author has withdrawn. */
const demoWithdrawn = {
  title: 'Split hook with a printed thumb',
  reason: 'replaced',
  days_ago: 12,
};

/** Adds the earlier versions of demo solutions, what they are based on, and one that was withdrawn. */
export async function seedVersions(client: SupabaseClient) {
  const { days_ago, ...withdrawn } = demoWithdrawn;
  const id = idOf('solution', withdrawn.title);
  // Written last.
  if (await must(client.from('withdrawn_solutions').select('id').eq('id', id).maybeSingle())) return;
  for (const [title, sources] of Object.entries(demoSources)) {
    const id = idOf('solution', title);
    const ids = sources.map((source) => idOf('solution', source));
    await must(
      client
        .from('solution_sources')
        .upsert(ids.map((source_id, position) => ({ solution_id: id, source_id, position }))),
    );
    const based_on = ids.map((source) => createHash('md5').update(source).digest('hex'));
    await must(
      client
        .from('solution_versions')
        .update({ content: { ...(await firstContent(client, id)), based_on } })
        .eq('solution_id', id)
        .eq('version', 1),
    );
  }
  for (const [title, { change_note, days_ago, earlier }] of Object.entries(demoVersions)) {
    const id = idOf('solution', title);
    const current = await firstContent(client, id);
    const rows = [
      ...earlier.map(({ changes, ...version }) => ({ ...version, content: { ...current, ...changes } })),
      { change_note, days_ago, content: current },
    ].map(({ days_ago, ...version }, index) => ({
      change_note: null,
      ...version,
      solution_id: id,
      version: index + 1,
      published_at: daysAgo(days_ago),
    }));
    await must(client.from('solution_versions').upsert(rows));
    await must(client.from('solutions').update({ version: rows.length }).eq('id', id));
  }
  await must(
    client.from('withdrawn_solutions').insert({ ...withdrawn, id, withdrawn_at: daysAgo(days_ago) }),
  );
}

/** What a demo solution holds as it was published first. */
async function firstContent(client: SupabaseClient, id: string): Promise<object> {
  const version = await must<{ content: object } | null>(
    client.from('solution_versions').select('content').eq('solution_id', id).eq('version', 1).single(),
  );
  if (!version) throw new Error(`Demo content: ${id} has no version`);
  return version.content;
}
