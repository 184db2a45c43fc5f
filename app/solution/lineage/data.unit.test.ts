import { expect, it } from 'vitest';
import { treeOf } from './data.ts';

const link = (kind: string, parent_id: string, solution_id: string) => ({
  kind,
  parent_id,
  solution_id,
  title: `Case ${solution_id}`,
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
      relatives: [{ id: 'grandmother', title: 'Case grandmother', relatives: [] }],
    },
    { id: 'father', title: 'Case father', relatives: [] },
  ]);
  expect(treeOf(links, 'adaptation', 'own')).toEqual([{ id: 'child', title: 'Case child', relatives: [] }]);
});
