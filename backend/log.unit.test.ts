import { expect, it } from 'vitest';
import { errorFields } from './log.ts';

it('tells of an error what helps, and no one’s address', () => {
  const error = Object.assign(
    new Error('550 <amara.o@clinic.example> unknown', { cause: 'to +a@b.example' }),
    {
      code: 'EENVELOPE',
      client: { password: 'of the connection' },
    },
  );
  const fields = errorFields(error);
  expect(fields).toMatchObject({
    type: 'Error',
    message: '550 <[address]> unknown',
    code: 'EENVELOPE',
    cause: { message: 'to [address]' },
  });
  const text = JSON.stringify(fields);
  expect(text).not.toMatch(/clinic\.example|b\.example|of the connection/);
  expect(text).toContain('log.unit.test.ts');
  expect(errorFields({ message: 'who@where.example', code: '23505' })).toEqual({
    message: '[address]',
    code: '23505',
  });
});

it('leaves the names of packages as they are', () => {
  expect(errorFields('node_modules/@hono/node-server/dist/index.js')).toEqual({
    message: 'node_modules/@hono/node-server/dist/index.js',
  });
});
