import { expect, it } from 'vitest';
import { identifierExamples } from '../../../tests/identifier-examples.ts';
import { findPatientIdentifiers } from './patient-identifiers.ts';

it.each(identifierExamples)('%s', (text, kinds) => {
  expect(findPatientIdentifiers(text)).toEqual(kinds);
});
