import { describe, expect, it } from 'vitest';
import { PlannedReads, type ReadStatement, shapeOf } from './planned-reads.ts';
import { parsePreferences } from './preferences.ts';

const schema = {};
const statement = (sql: string, values: string[]): ReadStatement => ({
  sql,
  values,
  offset: 0,
  format: { kind: 'array', stripNulls: false, contentType: 'application/json' },
  preferences: parsePreferences(null),
});
/** Keeps a plan of the query, made by a function of its decoded parameters. */
function kept(plans: PlannedReads, query: string, make: (search: URLSearchParams) => ReadStatement) {
  const shape = shapeOf(query);
  plans.find(schema, shape.text, shape);
  plans.keep(shape.text, shape, (marked) => make(new URLSearchParams(marked)));
}
const found = (plans: PlannedReads, query: string, of = schema) => {
  const shape = shapeOf(query);
  return plans.find(of, shape.text, shape);
};
const byId = (search: URLSearchParams) => statement('id = $1', [search.get('id')?.slice(3) ?? '']);

describe('the plan of a read', () => {
  it('serves every value, each as it was sent', () => {
    const plans = new PlannedReads();
    kept(plans, 'select=*&id=eq.1', byId);
    for (const [sent, value] of [
      ['2', '2'],
      ['', ''],
      ['a%20b+c%26', 'a b c&'],
      ['100%', '100%'],
      ['eq.1', 'eq.1'],
    ] as const)
      expect(found(plans, `select=*&id=eq.${sent}`)).toMatchObject({ sql: 'id = $1', values: [value] });
  });

  it('is another for another column, operator, order or limit', () => {
    const plans = new PlannedReads();
    kept(plans, 'id=eq.1&limit=2&order=id', byId);
    for (const query of [
      'id=neq.1&limit=2&order=id',
      'no=eq.1&limit=2&order=id',
      'id=eq.1&limit=3&order=id',
      'id=eq.1&limit=2&order=no',
      'id=in.(1)&limit=2&order=id',
      'id=not.eq.1&limit=2&order=id',
    ])
      expect(found(plans, query)).toBeUndefined();
  });

  it('is not kept when a value is part of the statement', () => {
    const plans = new PlannedReads();
    kept(plans, '%6Frder=eq.asc', (search) => statement(`order by ${search.get('order')}`, []));
    kept(plans, 'id=eq.1', () => statement('true', []));
    expect(found(plans, '%6Frder=eq.asc')).toBeUndefined();
    expect(found(plans, 'id=eq.1')).toBeUndefined();
  });

  it('is forgotten with the schema it was made for', () => {
    const plans = new PlannedReads();
    kept(plans, 'id=eq.1', byId);
    expect(found(plans, 'id=eq.1', {})).toBeUndefined();
  });

  it('gives way to others when a client asks in ever new ways, those in use last', () => {
    const plans = new PlannedReads();
    kept(plans, 'id=eq.1', byId);
    for (let n = 0; n < 500; n++) {
      kept(plans, `select=c${n}`, () => statement('x'.repeat(10_000), []));
      expect(found(plans, 'id=eq.5')).toBeDefined();
    }
    expect(found(plans, 'select=c0')).toBeUndefined();
    expect(found(plans, 'select=c499')).toBeDefined();
  });
});
