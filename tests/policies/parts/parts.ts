import { type Member, type openDatabase, people } from '../fixtures.ts';

/** Solutions with parts, and the members around them. */
export function openParts({ owner, value, solution }: ReturnType<typeof openDatabase>) {
  /** A solution with one part. */
  async function withPart(
    maker: string | null,
    number: string | null,
    status: 'pending' | 'approved' | 'rejected' = 'approved',
    author: Member = 'author',
  ) {
    const id = await solution(status, author);
    await addPart(id, maker, number);
    return id;
  }

  async function addPart(id: string, maker: string | null, number: string | null) {
    await owner('insert into solution_fabrication (solution_id) values ($1) on conflict do nothing', [id]);
    await owner(
      `insert into solution_parts (solution_id, position, component, maker, part_number, quantity)
       select $1, count(*), 'Adapter', $2, $3, 1 from solution_parts where solution_id = $1`,
      [id, maker, number],
    );
  }

  /** The member saves it in a collection of their own. */
  async function saves(member: Member, id: string) {
    const collection = await value('insert into collections (user_id, title) values ($1, $2) returning id', [
      people[member],
      'Feet',
    ]);
    await owner('insert into collection_items (collection_id, user_id, solution_id) values ($1, $2, $3)', [
      collection,
      people[member],
      id,
    ]);
  }

  const tries = (member: Member, id: string) =>
    owner(
      `insert into solution_trials (solution_id, version, user_id, status, result, amputation_level, age_group, prosthesis_type)
       select id, 1, $2, 'approved', 'worked', amputation_level, age_group, prosthesis_type from solutions where id = $1`,
      [id, people[member]],
    );

  const narrow = (id: string, audience: string) =>
    owner('update solutions set audience = $2 where id = $1', [id, audience]);

  return { withPart, addPart, saves, tries, narrow };
}
