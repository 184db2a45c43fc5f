import { expect, it } from 'vitest';
import { treeOf } from './data.ts';

const link = (kind: string, parent_id: string, solution_id: string) => ({
  kind,
  parent_id,
  solution_id,
  title: `Case ${solution_id}`,
  safety_kind: solution_id === 'child' ? 'recall' : null,
});

it('a family is a tree of each kind, in which a relative stands where it is nearest', () => {
  const links = [
    link('source', 'own', 'mother'),
    link('source', 'own', 'father'),
    link('adaptation', 'own', 'child'),
    link('source', 'mother', 'grandmother'),
    link('source', 'mother', 'father'),
    link('source', 'grandmother', 'own'),
    link('source', 'hidden', 'nobody'),
  ];
  expect(treeOf(links, 'source', 'own')).toEqual([
    {
      id: 'mother',
      title: 'Case mother',
      safety_kind: null,
      relatives: [{ id: 'grandmother', title: 'Case grandmother', safety_kind: null, relatives: [] }],
    },
    { id: 'father', title: 'Case father', safety_kind: null, relatives: [] },
  ]);
  expect(treeOf(links, 'adaptation', 'own')).toEqual([
    { id: 'child', title: 'Case child', safety_kind: 'recall', relatives: [] },
  ]);
});
