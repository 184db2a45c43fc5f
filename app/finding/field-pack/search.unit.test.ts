import { describe, expect, it } from 'vitest';
import { partWord, searchOf } from './search.ts';

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

  it('finds a part by its number, or by maker and number, however they are written', () => {
    const words = `adapter ottobock 4r54 ${partWord('Ottobock', '4R54')} ${partWord(null, '4R54')}`;
    for (const typed of [
      '4R54',
      '4 R 54',
      '4r-54',
      'ottobock 4r54',
      'Otto Bock 4R54',
      'OTTOBOCK4R54',
      '４Ｒ５４',
      '4r٥٤',
      '४R५४',
    ]) {
      expect(finds(typed, words), typed).toBe(true);
      expect(searched(typed, words).corrected, typed).toBeUndefined();
    }
    for (const typed of ['4R55', 'ottobock 4r55', 'Össur 4R54', '4 R 540', '- / -x'])
      expect(finds(typed, words), typed).toBe(false);
    // Other solutions are found by their words alone.
    const others = searchOf('4 R 54', SYNONYMS, words.split(' '));
    expect([others.finds(' adapter 4r55 '), others.finds(' 4 r 54 ')]).toEqual([false, true]);
    expect(finds('#4R54', 'socket liner')).toBe(false);
  });

  it('finds everything by nothing', () => {
    expect(finds(' … ', 'socket')).toBe(true);
  });
});
