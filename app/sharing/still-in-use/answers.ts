/** The four answers to “Still in use?”: as the form asks, and as sums count them. No longer is an answer like the others. */
export const answers = [
  { value: 'every_day', choice: 'Yes, every day', counted: 'every day' },
  { value: 'sometimes', choice: 'Yes, sometimes', counted: 'sometimes' },
  { value: 'no_longer', choice: 'No longer', counted: 'no longer' },
  { value: 'dont_know', choice: 'I don’t know', counted: 'not known' },
] as const;

/** Why it is no longer used. */
export const reasons = [
  { value: 'broke', choice: 'It broke or wore out', counted: 'broke or wore out' },
  { value: 'fit', choice: 'It did not fit, or it hurt', counted: 'did not fit or hurt' },
  {
    value: 'burden',
    choice: 'It was too heavy, too slow or too much effort',
    counted: 'too heavy, slow or much effort',
  },
  { value: 'needs', choice: 'The person’s needs or health changed', counted: 'needs or health changed' },
  { value: 'replaced', choice: 'Another device replaced it', counted: 'replaced by another device' },
  { value: 'other', choice: 'Another reason, or I don’t know', counted: 'another reason or not known' },
] as const;

/** An answer in the words of the form, with its reason; an unknown one stands for itself. */
export function answerText(answer: string, reason: string | null): string {
  const given = answers.find(({ value }) => value === answer)?.choice ?? answer;
  const why = reasons.find(({ value }) => value === reason)?.counted;
  return why ? `${given}: ${why}` : given;
}
