import { expect, it } from 'vitest';
import { identifierExamples } from '../../tests/identifier-examples.ts';
import { identifiersIn } from './identifiers.ts';

it.each(identifierExamples)('%s', (text, kinds) => {
  expect(identifiersIn(text)).toEqual(kinds);
});
