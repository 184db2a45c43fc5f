import { describe, expect, it } from 'vitest';
import { searchOf } from './search.ts';

const SYNONYMS = [
  ['bk', 'tt', 'transtibial', 'below knee'],
  ['myo', 'myoelectric', 'emg'],
];
const searched = (search: string, words: string) => searchOf(search, SYNONYMS, words.split(' '));
const finds = (search: string, words: string) => searched(search, words).finds(` ${words} `);

describe('the search of a field pack', () => {
  it('finds by abbreviations and what they stand for, in both directions', () => {
    expect(finds('BK', 'transtibial socket')).toBe(true);
    expect(finds('below knee', 'a tt case')).toBe(true);
    expect(finds('below-knee sockets', 'transtibial socket')).toBe(true);
    expect(finds('emg', 'myoelectric hand')).toBe(true);
  });

  it('takes no abbreviation for a part of another word', () => {
    expect(finds('transtibial', 'fitting')).toBe(false);
    expect(finds('transtibial', 'fitting tt')).toBe(true);
  });

  it('wants every word, one or two letters at the beginning of a word and more anywhere in one', () => {
    expect(finds('socket liner', 'socket')).toBe(false);
    expect(finds('iner so', 'socket liner')).toBe(true);
    expect(finds('ck', 'socket')).toBe(false);
  });

  it('finds plurals, marks of a script and letters that cannot be typed', () => {
    expect(finds('prostheses', 'prosthesis')).toBe(true);
    expect(finds('VÉLO', 'velo')).toBe(true);
    expect(finds('straße', 'strasse')).toBe(true);
    expect(finds('义肢', '下肢义肢装配')).toBe(true);
  });

  it('mends one slip of the hand in a word that occurs nowhere, and says so', () => {
    const words = 'printed socket liner locking';
    for (const typed of ['printd sokcet', 'printed sockt', 'printed sockket', 'prxnted socket']) {
      expect(finds(typed, words), typed).toBe(true);
      expect(searched(typed, words).corrected, typed).toBe('printed socket');
    }
    expect(searched('lock sockets BK', words).corrected).toBeUndefined();
    for (const typed of ['xylophone', 'lnr', 'sktet']) expect(finds(typed, words), typed).toBe(false);
    expect(finds('4R54', '4r55')).toBe(false);
    expect(finds('上肢义肢', '下肢义肢')).toBe(false);
  });

  it('finds everything by nothing', () => {
    expect(finds(' … ', 'socket')).toBe(true);
  });
});
