import { dataOf, unwrap } from '#app/errors.ts';
import type { Client } from '#app/supabase.ts';

/** What the API gives on how a solution is made. */
export interface Fabrication {
  hours: number | null;
  tools: string[];
  /** The currency of all costs, as ISO 4217 names it. */
  currency: string | null;
  parts: Part[];
  steps: { instruction: string; media_id: string | null }[];
}

export interface Part {
  component: string;
  maker: string | null;
  part_number: string | null;
  quantity: number;
  /** The cost of one. */
  cost: number | null;
  link: string | null;
}

/** What it is read with. */
const fabricationColumns =
  'hours,tools,currency,parts:solution_parts(component,maker,part_number,quantity,cost,link),steps:solution_steps(instruction,media_id)';

/** Reads how a solution is built, by itself, since one answer of the server embeds a limited number of tables. */
export async function readFabrication(db: Client, solutionId: string) {
  return dataOf(
    await db
      .from('solution_fabrication')
      .select(fabricationColumns)
      .eq('solution_id', solutionId)
      .order('position', { referencedTable: 'solution_parts' })
      .order('position', { referencedTable: 'solution_steps' })
      .maybeSingle(),
  );
}

/** What moderators warn of in the parts of a solution, the gravest first. */
export const readPartNotices = async (db: Client, solutionId: string) =>
  unwrap(await db.rpc('part_notices_of', { solution: solutionId }));

/** The currencies that the form offers: of the countries where most limbs are made, by their codes. */
export const currencies: readonly string[] =
  'AED ARS AUD BDT BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP GHS HUF IDR ILS INR JPY KES KRW LKR MXN MYR NGN NOK NPR NZD PEN PHP PKR PLN RON RWF SAR SEK SGD THB TRY TWD TZS UAH UGX USD VND ZAR'.split(
    ' ',
  );

/** "1,234.50 EUR" */
export const costText = (amount: number, currency: string | null): string =>
  `${amount.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${currency ?? ''}`.trim();

/** "6.5 hours" */
export const hoursText = (hours: number): string =>
  `${hours.toLocaleString('en-GB')} ${hours === 1 ? 'hour' : 'hours'}`;

/** The cost of all parts that have one, with how many have none; null where none has one. */
export function totalCost(parts: readonly Part[]): { amount: number; without: number } | null {
  const priced = parts.filter(({ cost }) => cost !== null);
  if (priced.length === 0) return null;
  return {
    // In hundredths, since sums of decimal fractions are not exact.
    amount:
      priced.reduce((sum, { cost, quantity }) => sum + Math.round((cost ?? 0) * quantity * 100), 0) / 100,
    without: parts.length - priced.length,
  };
}

/** Maker and part number: "Ottobock 4R54". */
export const makerText = ({ maker, part_number }: Pick<Part, 'maker' | 'part_number'>): string =>
  [maker, part_number].filter(Boolean).join(' ');
