import { bySection } from '#app/solution/solutions/value-lists.ts';
import { z } from '#app/zod.ts';

/** The form of `solution_versions.content` and `solution_reviews.replaced`, as the database's solution_content gives it. */
export const contentSchema = z.object({
  // Earlier versions were all in English.
  language: z.catch(z.string(), 'en'),
  title: z.string(),
  description: z.string(),
  occupation: z.string(),
  amputation_level: z.string(),
  age_group: z.string(),
  prosthesis_type: z.string(),
  cost_range: z.string(),
  // Earlier versions know of none.
  licence: z.catch(z.nullable(z.string()), null),
  materials: z.array(z.string()),
  custom_tags: z.array(z.string()),
  ...bySection('column', () => z.nullable(z.string())),
  outcomes: z.catch(
    z.array(
      z.object({
        measure: z.string(),
        score_before: z.nullable(z.number()),
        score_after: z.number(),
        people_before: z.nullable(z.number()),
        people: z.number(),
        follow_up_weeks: z.nullable(z.number()),
        device_before: z.nullable(z.string()),
      }),
    ),
    [],
  ),
  fabrication: z.catch(
    z.nullable(
      z.object({
        hours: z.nullable(z.number()),
        tools: z.array(z.string()),
        currency: z.nullable(z.string()),
        parts: z.array(
          z.object({
            component: z.string(),
            maker: z.nullable(z.string()),
            part_number: z.nullable(z.string()),
            quantity: z.number(),
            cost: z.nullable(z.number()),
            link: z.nullable(z.string()),
          }),
        ),
        steps: z.array(z.object({ instruction: z.string(), media_id: z.nullable(z.string()) })),
      }),
    ),
    null,
  ),
  media: z.array(
    z.object({
      id: z.string(),
      description: z.optional(z.nullable(z.string())),
      removed: z.optional(z.boolean()),
    }),
  ),
  // Earlier versions know of none.
  files: z.catch(
    z.array(
      z.object({
        id: z.string(),
        name: z.optional(z.string()),
        licence: z.optional(z.string()),
        description: z.optional(z.nullable(z.string())),
        removed: z.optional(z.boolean()),
      }),
    ),
    [],
  ),
  based_on: z.array(z.string()),
});
/** What a version of a solution says. Of an image that was removed only its place is left. */
export type Content = z.infer<typeof contentSchema>;
