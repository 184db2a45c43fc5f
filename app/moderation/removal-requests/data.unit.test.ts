import { describe, expect, it } from 'vitest';
import { readRemovalRequest } from './data.ts';

const read = (...fields: [string, string][]) => {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return readRemovalRequest('s1', form);
};

describe('a removal request', () => {
  it('names pictures or all, and trims what was written', () => {
    expect(
      read(
        ['tracking', 't1'],
        ['picture', 'a'],
        ['picture', 'b'],
        ['asker', 'guardian'],
        ['email', ' pat@example.org '],
      ),
    ).toEqual({
      request: {
        tracking: 't1',
        solution: 's1',
        pictures: ['a', 'b'],
        asker: 'guardian',
        reason: '',
        email: 'pat@example.org',
      },
      problems: [],
    });
    const all = read(['all', 'on'], ['picture', 'a'], ['asker', 'patient']);
    expect(all.problems).toEqual([]);
    expect(all.request.pictures).toBeUndefined();
    expect(all.request.tracking).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('says everything that must be mended at once', () => {
    const { problems } = read(['asker', 'neighbour'], ['reason', 'x'.repeat(2001)], ['email', 'pat at home']);
    expect(problems.map(({ id, message }) => [id, message])).toEqual([
      ['pictures', 'Choose at least one image'],
      ['asker', 'Please say who you are'],
      ['reason', 'Use 2,000 characters or fewer'],
      ['email', 'Enter an email address, such as name@example.org'],
    ]);
  });
});
