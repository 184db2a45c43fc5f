import { expect, it } from 'vitest';
import { StartedParts, Stopping } from './started-parts.ts';

const ORDER = ['archive', 'database', 'answers'] as const;

function recorded() {
  const said: string[] = [];
  const parts = new StartedParts(ORDER);
  const begin = (name: string) => () => {
    said.push(`${name} starts`);
    return () => said.push(`${name} stops`);
  };
  return { said, parts, begin };
}

it('stops what has started in one order, whatever started first', async () => {
  const { said, parts, begin } = recorded();
  await parts.start('database', begin('database'));
  await parts.start('answers', begin('answers'));
  await parts.start('archive', begin('archive'));
  expect(parts.areStopping).toBe(false);
  await Promise.all([parts.stop(), parts.stop()]);
  expect(said.slice(3)).toEqual(['answers stops', 'database stops', 'archive stops']);
});

it('leaves nothing running that was starting when the end came, and starts nothing later', async () => {
  const { said, parts, begin } = recorded();
  const opened = Promise.withResolvers<void>();
  const starting = parts.start('archive', async () => {
    await opened.promise;
    return begin('archive')();
  });
  const stopping = parts.stop();
  await expect(parts.start('answers', begin('answers'))).rejects.toThrow(Stopping);
  opened.resolve();
  await expect(starting).rejects.toThrow(Stopping);
  await stopping;
  expect(said).toEqual(['archive starts', 'archive stops']);
});

it('stops the others when one cannot start, or cannot be stopped', async () => {
  const { said, parts, begin } = recorded();
  await parts.start('database', begin('database'));
  await parts.start('answers', () => () => Promise.reject(new Error('it hangs')));
  await expect(parts.start('archive', () => Promise.reject(new Error('no folder')))).rejects.toThrow(
    'no folder',
  );
  await expect(parts.stop()).rejects.toThrow('it hangs');
  expect(said).toEqual(['database starts', 'database stops']);
});
