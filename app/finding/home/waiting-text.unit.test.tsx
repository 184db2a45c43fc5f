import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Waiting, Warning } from './data.ts';
import { concernText, WaitingTitle, waitingAction } from './waiting-text.tsx';

const waiting = (changes: Partial<Waiting>): Waiting => ({
  kind: 'solution',
  id: 'i',
  solution_id: 's',
  title: 'محول قوس',
  language: 'ar',
  thumbnail_url: null,
  text: null,
  text_language: null,
  number: null,
  at: '2026-11-30T00:00:00Z',
  ...changes,
});
const said = (changes: Partial<Waiting>) =>
  renderToStaticMarkup(<WaitingTitle waiting={waiting(changes)} />).replace(/<[^>]+>/g, '');

describe('what waits for a member', () => {
  it.each([
    [{ kind: 'question', number: 6 }, 'Still in use? محول قوس, 6 months on', 'Answer', '/still-in-use/i'],
    [{ kind: 'solution' }, 'محول قوس: changes requested', 'Revise', '/upload?solution=s'],
    [{ kind: 'trial' }, 'Your report on محول قوس: changes requested', 'Revise', '/solutions/s/tried'],
    [
      { kind: 'translation', text_language: 'es' },
      'محول قوس in Spanish: changes requested',
      'Revise',
      '/solutions/s/translate?language=es',
    ],
    [
      { kind: 'comments', number: 1 },
      'محول قوس: 1 comment without your answer',
      'Reply',
      '/solutions/s#comments',
    ],
    [
      { kind: 'comments', number: 3 },
      'محول قوس: 3 comments without your answer',
      'Reply',
      '/solutions/s#comments',
    ],
  ] satisfies [Partial<Waiting>, string, string, string][])(
    '%o is said in one line, with what to do about it',
    (changes, title, label, to) => {
      expect(said(changes)).toBe(title);
      expect(waitingAction(waiting(changes))).toEqual({ label, to });
    },
  );

  it('keeps the language and direction of the title', () => {
    expect(renderToStaticMarkup(<WaitingTitle waiting={waiting({})} />)).toContain(
      '<bdi lang="ar" dir="rtl">محول قوس</bdi>',
    );
  });

  it.each([
    [['shared'], 'You shared it.'],
    [['follow', 'saved'], 'You saved and follow it.'],
    [['tried', 'saved', 'follow'], 'You tried, saved and follow it.'],
  ] satisfies [Warning['why'], string][])('a warning concerns who %o it', (why, sentence) => {
    expect(concernText({ why } as Warning)).toBe(sentence);
  });
});
