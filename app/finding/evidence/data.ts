import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, readAnswer, type Schemas, unwrap } from '#app/errors.ts';
import { measures } from '#app/solution/outcomes/measures.ts';
import { amputationLevels, prosthesisTypes } from '#app/solution/solutions/value-lists.ts';
import type { ClientSource, QueryData } from '#app/supabase.ts';

/** What is shown of the reported outcomes; '' for all of a kind. */
export interface EvidenceFilters {
  measure: string;
  level: string;
  type: string;
}

/** Reads an address; unknown values count as none. */
export function readEvidenceFilters(params: URLSearchParams | FormData): EvidenceFilters {
  const known = (name: string, values: readonly string[]) =>
    values.find((value) => value === params.get(name)) ?? '';
  return {
    measure: known(
      'measure',
      measures.map(({ abbreviation }) => abbreviation),
    ),
    level: known('level', amputationLevels),
    type: known('type', prosthesisTypes),
  };
}

/** The address for these filters, of the page or of one of its downloads. */
export function evidenceUrl(filters: Partial<EvidenceFilters>, path = '/evidence'): string {
  const chosen = Object.entries(filters).filter(([, value]) => value !== '');
  return chosen.length > 0 ? `${path}?${new URLSearchParams(chosen)}` : path;
}

const evidenceSchema = (z: Schemas) =>
  z.object({
    /** Those that are shown without their case are of the type ''. */
    counts: z.array(
      z.object({
        measure: z.string(),
        type: z.string(),
        cases: z.number(),
        people: z.number(),
        outcomes: z.number(),
      }),
    ),
    points: z.array(
      z.object({
        solution_id: z.nullable(z.string()),
        /** The trial of a member that reported it; null for what the author reports. */
        trial_id: z.nullable(z.string()),
        title: z.nullable(z.string()),
        safety_kind: z.nullable(z.string()),
        measure: z.string(),
        before: z.nullable(z.number()),
        after: z.number(),
        people_before: z.nullable(z.number()),
        people: z.number(),
        weeks: z.nullable(z.number()),
        device_before: z.nullable(z.string()),
        level: z.nullable(z.string()),
        type: z.nullable(z.string()),
        published_at: z.nullable(z.string()),
      }),
    ),
  });

/** A reported outcome. One that may not be shown beside its author has no case, device, level, type or time. */
export type EvidencePoint = AnswerOf<typeof evidenceSchema>['points'][number];

/** Where a reported outcome stands; null for one that is shown without its case. */
export const pointPath = ({ solution_id, trial_id }: EvidencePoint): string | null =>
  solution_id && `/solutions/${solution_id}${trial_id ? `#trial-${trial_id}` : ''}`;

/** Reads what has been reported, with at most `maxPoints` of the newest outcomes. */
export async function readEvidence(
  client: ClientSource,
  { measure, level, type }: EvidenceFilters,
  maxPoints: number,
) {
  const db = await client();
  return readAnswer(db.rpc('evidence', { measure, level, type, max_points: maxPoints }), evidenceSchema);
}

/** The most outcomes in one download; the file says how many there are. */
export const MAX_DOWNLOADED = 5000;

export const LICENCE = 'CC BY 4.0';
export const LICENCE_URL = 'https://creativecommons.org/licenses/by/4.0/';

/** The most outcomes that the page draws. */
const MAX_DRAWN = 200;

/** What the page shows: the counts, and for one measure its facts and its newest outcomes. */
export const evidenceQuery = (client: ClientSource, filters: EvidenceFilters) =>
  queryOptions({
    queryKey: ['evidence', filters.measure, filters.level, filters.type],
    queryFn: async () => {
      const db = await client();
      const [evidence, facts] = await Promise.all([
        readEvidence(client, filters, filters.measure ? MAX_DRAWN : 0),
        filters.measure
          ? db.from('outcome_measures').select().eq('abbreviation', filters.measure).single()
          : null,
      ]);
      return { ...evidence, facts: facts && unwrap(facts) };
    },
  });

type PageEvidence = QueryData<typeof evidenceQuery>;
export type MeasureFacts = NonNullable<PageEvidence['facts']>;
export type Counts = PageEvidence['counts'];
