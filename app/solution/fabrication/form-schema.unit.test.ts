import { describe, expect, it } from 'vitest';
import { costText, hoursText, totalCost } from './fabrication.ts';
import {
  emptyFabrication,
  emptyPart,
  emptyStep,
  type FabricationForm,
  fabricationRow,
  fabricationSchema,
  typedFabrication,
} from './form-schema.ts';

const filled: FabricationForm = {
  hours: '6,5',
  tools: 'Heat gun\n\n  Alignment jig ',
  currency: 'EUR',
  parts: [
    {
      component: 'Pyramid adapter',
      maker: 'Ottobock',
      partNumber: '4R54',
      quantity: '2',
      cost: '85.10',
      link: 'https://maker.example/4r54',
    },
    emptyPart,
  ],
  steps: [{ instruction: 'Warm the sheet to 165 °C.', picture: 'upload-1' }, emptyStep],
};
const problems = (form: FabricationForm) =>
  fabricationSchema
    .safeParse(form)
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

describe('how a solution is made', () => {
  it('is nothing where nothing was entered, and blank rows are left out', () => {
    expect(fabricationRow(emptyFabrication, () => undefined)).toBeNull();
    expect(
      fabricationRow({ ...emptyFabrication, parts: [emptyPart], steps: [emptyStep] }, () => undefined),
    ).toBeNull();
    expect(problems({ ...emptyFabrication, parts: [emptyPart], steps: [emptyStep] })).toEqual([]);
    expect(fabricationRow(filled, (id) => (id === 'upload-1' ? '/stored' : undefined))).toEqual({
      hours: 6.5,
      tools: ['Heat gun', 'Alignment jig'],
      currency: 'EUR',
      parts: [
        {
          component: 'Pyramid adapter',
          maker: 'Ottobock',
          part_number: '4R54',
          quantity: 2,
          cost: 85.1,
          link: 'https://maker.example/4r54',
        },
      ],
      steps: [{ instruction: 'Warm the sheet to 165 °C.', media_url: '/stored' }],
    });
  });

  it('comes back to the form as it was stored', () => {
    const stored = {
      hours: 6.5,
      tools: ['Heat gun'],
      currency: null,
      parts: [{ component: 'Liner', maker: null, part_number: null, quantity: 1, cost: null, link: null }],
      steps: [{ instruction: 'Roll it on.', media_id: null }],
    };
    expect(typedFabrication(stored)).toEqual({
      hours: '6.5',
      tools: 'Heat gun',
      currency: '',
      parts: [{ ...emptyPart, component: 'Liner' }],
      steps: [{ instruction: 'Roll it on.', picture: '' }],
    });
    expect(typedFabrication(null)).toEqual(emptyFabrication);
  });

  it('says what is wrong beside the field', () => {
    expect(problems(filled)).toEqual([]);
    expect(
      problems({
        hours: 'six',
        tools: 'x'.repeat(81),
        currency: '',
        parts: [
          { ...emptyPart, maker: 'Ottobock' },
          { ...emptyPart, component: 'Bolt', quantity: '0', cost: '-1', link: 'javascript:alert(1)' },
          { ...emptyPart, component: 'Nut', link: 'https://maker.example@evil.example/' },
          { ...emptyPart, component: 'Nut', link: 'https://maker.example/\u202e4r54' },
        ],
        steps: [{ instruction: ' ', picture: 'upload-1' }],
      }),
    ).toEqual([
      'hours: Hours must be between 0.1 and 10,000',
      'tools: Please list at most 30 tools, each of 1 to 80 characters',
      'parts.0.component: Please name the part',
      'parts.1.quantity: Enter more than 0 and at most 10,000',
      'parts.1.cost: Enter a cost such as 12.50',
      'parts.1.link: A link must begin with https:// or http://',
      'parts.2.link: A link must not contain a user name or invisible characters',
      'parts.3.link: A link must not contain a user name or invisible characters',
      'currency: Please choose the currency of the costs',
      'steps.0.instruction: Please say what is done in this step',
    ]);
  });

  it('adds costs up exactly, and says how many parts have none', () => {
    const part = { component: 'Bolt', maker: null, part_number: null, link: null };
    expect(
      totalCost([
        { ...part, quantity: 3, cost: 0.1 },
        { ...part, quantity: 1, cost: 0.2 },
        { ...part, quantity: 1, cost: null },
      ]),
    ).toEqual({
      amount: 0.5,
      without: 1,
    });
    expect(totalCost([{ ...part, quantity: 3, cost: null }])).toBeNull();
    expect([costText(1234.5, 'EUR'), hoursText(1), hoursText(6.5)]).toEqual([
      '1,234.50 EUR',
      '1 hour',
      '6.5 hours',
    ]);
  });
});
