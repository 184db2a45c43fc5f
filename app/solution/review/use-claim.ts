import { useEffect, useState } from 'react';
import { type AnswerOf, readAnswer, type Schemas } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';

const claimSchema = (z: Schemas) => z.nullable(z.object({ name: z.string(), claimed_at: z.string() }));

/** Another moderator who has opened it. */
export type Claim = NonNullable<AnswerOf<typeof claimSchema>>;

const claim = async (kind: string, item: string) =>
  readAnswer((await browserClient()).rpc('claim_review', { kind, item }), claimSchema);

async function release(kind: string, item: string): Promise<void> {
  const db = await browserClient();
  const { data } = await db.auth.getSession();
  if (!data.session) return;
  await db
    .from('review_claims')
    .delete()
    .eq('kind', kind)
    .eq('item_id', item)
    .eq('moderator_id', data.session.user.id);
}

/**
 * The claims and releases of this tab, one after the other: the release of an item that is opened again straight away
 * would otherwise end the new claim.
 */
let last = Promise.resolve();

/**
 * Claims an item while it is open, so that no other moderator does the same work. A failed claim does not
 * prevent the decision.
 *
 * @param item undefined for one that the moderator may not decide on
 * @returns the moderator who has claimed it before
 */
export function useClaim(kind: string, item: string | undefined): Claim | null {
  const [other, setOther] = useState<Claim | null>(null);
  useEffect(() => {
    if (!item) return;
    let cancelled = false;
    const renew = () => {
      last = last
        .then(() => claim(kind, item))
        .then((otherClaim) => {
          if (!cancelled) setOther(otherClaim);
        })
        .catch((error: unknown) => console.warn('not claimed:', error));
    };
    renew();
    const timer = setInterval(renew, 5 * 60_000);
    return () => {
      cancelled = true;
      clearInterval(timer);
      last = last.then(() => release(kind, item)).catch(() => undefined);
    };
  }, [kind, item]);
  return other;
}
