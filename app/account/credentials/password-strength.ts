import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { cutText } from '../../../texts/cut-text.ts';

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/** From 0, guessed at once, to 4, practically impossible to guess. */
export function strengthOf(password: string): number {
  // Longer passwords take long to judge and are strong anyway.
  return zxcvbn.check(cutText(password, 64)).score;
}
