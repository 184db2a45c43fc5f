import { expect, it, vi } from 'vitest';
import { submitOnce, wasSubmitted } from './submit-once.ts';

const text = { content: 'Which liner did you use?', topic_id: 'a' };

it('a text that is sent again after no answer, or by a second click, has the same number', async () => {
  const numbers: string[] = [];
  const send = vi.fn(async (id: string) => {
    numbers.push(id);
    if (numbers.length === 1) throw new Error('Failed to fetch');
  });
  await expect(submitOnce(text, send)).rejects.toThrow('Failed to fetch');
  await Promise.all([submitOnce({ ...text }, send), submitOnce(text, send)]);
  expect(numbers).toHaveLength(3);
  expect(new Set(numbers).size).toBe(1);
});

it('another text, and the same one once it was answered, has its own', async () => {
  const numbers: string[] = [];
  const send = async (id: string) => void numbers.push(id);
  await submitOnce(text, send);
  await submitOnce(text, send);
  await submitOnce({ ...text, topic_id: 'b' }, send);
  expect(new Set(numbers).size).toBe(3);
});

it('a number that is taken is told from other things that are', () => {
  const message = (constraint: string) => `duplicate key value violates unique constraint "${constraint}"`;
  expect(wasSubmitted({ code: '23505', message: message('comments_user_id_submission_id_key') })).toBe(true);
  expect(wasSubmitted({ code: '23505', message: message('profiles_username_key') })).toBe(false);
  expect(wasSubmitted({ code: '42501', message: 'submission_id' })).toBe(false);
  expect(wasSubmitted(null)).toBe(false);
});
