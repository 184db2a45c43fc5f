import { openDatabase } from './parts/database.ts';
import { compare, type Subject } from './parts/runner.ts';

// What has been reported on the measures, among N solutions of which a third have outcomes: the function behind /evidence
// beside a bare count of one measure.
const SOLUTIONS = Number(process.env.N ?? 100_000);
const SECONDS = Number(process.env.SECONDS ?? 2);

const database = await openDatabase(SOLUTIONS);
try {
  const { client } = database;
  // Most reports are on the first measures of the catalogue, as in life.
  await client.query(`
    set session_replication_role = replica;
    insert into public.solution_outcomes (solution_id, position, measure, score_before, score_after, people, follow_up_weeks,
      prosthesis_type, amputation_level, audience, published_at)
    select s.id, n.place, m.abbreviation, m.minimum, m.minimum + 1, 1 + s.number % 12, 12, s.prosthesis_type, s.amputation_level, s.audience,
      coalesce(s.approved_at, s.created_at)
    from public.solutions s
    cross join generate_series(0, 1) as n (place)
    join public.outcome_measures m on m.position = 1 + floor(25 * ((s.number * 7919 + n.place * 31) % 1000 / 1000.0) ^ 2)
    where s.number % 3 = 0;
    set session_replication_role = default;
    select private.count_outcomes(s.id) from public.solutions s where s.number % 3 = 0`);
  await client.query('vacuum analyze public.solution_outcomes');
  const { rows } = await client.query<{ measure: string; outcomes: number }>(
    'select measure, count(*)::int as outcomes from public.solution_outcomes group by 1 order by 2 desc',
  );
  const [commonest] = rows;
  const total = rows.reduce((sum, { outcomes }) => sum + outcomes, 0);
  console.log(`${total} outcomes, ${commonest?.outcomes} of them on ${commonest?.measure}`);
  const perSecond = async (text: string, values: unknown[]): Promise<number> => {
    let done = 0;
    const end = performance.now() + SECONDS * 1000;
    while (performance.now() < end) {
      await client.query({ name: text.slice(0, 60), text, values });
      done++;
    }
    return done / SECONDS;
  };
  const call = 'select public.evidence($1, $2, $3, $4)';
  const measure = commonest?.measure ?? '';
  const subjects: Subject[] = [
    {
      name: 'bare count of one measure by type',
      run: () =>
        perSecond(
          'select prosthesis_type, count(*), sum(people) from public.solution_outcomes where measure = $1 group by 1',
          [measure],
        ),
    },
    { name: 'one measure, 200 points', run: () => perSecond(call, [measure, '', '', 200]) },
    {
      name: 'one measure, one level, one type',
      run: () => perSecond(call, [measure, 'Transtibial (Below Knee)', 'Passive', 200]),
    },
    { name: 'all measures, counts alone', run: () => perSecond(call, ['', '', '', 0]) },
    { name: 'a download of 5,000 rows', run: () => perSecond(call, ['', '', '', 5000]) },
  ];
  await compare(`evidence among ${SOLUTIONS.toLocaleString('en-GB')} solutions`, 'calls/s', subjects);
} finally {
  await database.stop();
}
