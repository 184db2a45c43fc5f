import { z } from 'zod';

/** Where a page of the site reads which field pack it offers. */
export const OFFER_PATH = '/field-pack/offer.json';

const archive = z.object({
  name: z.string(),
  /** In bytes. */
  size: z.number(),
});

/** The pack that a site offers. */
export const offerSchema = z.object({
  madeAt: z.string(),
  /** What the database said of everything in it; see the function field_pack_state. */
  state: z.string(),
  solutions: z.number(),
  /** The fingerprint of the key of the site. */
  key: z.string(),
  whole: archive,
  /** What brings a pack of one of these moments up to date; the smallest first. */
  updates: z.array(archive.extend({ since: z.array(z.string()) })),
});

export type Offer = z.infer<typeof offerSchema>;

/** What the site offers; null where there is no pack yet. @throws where it cannot be read */
export async function fetchOffer(fetchSite: typeof fetch, origin: string): Promise<Offer | null> {
  const answer = await fetchSite(origin + OFFER_PATH);
  if (answer.status === 404) return null;
  return offerSchema.nullable().parse(await answer.json());
}
