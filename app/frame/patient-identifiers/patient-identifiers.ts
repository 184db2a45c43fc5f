/** Kinds of personal detail, by the rules of the database's private.identifiers_in. */
const patterns: readonly (readonly [string, RegExp])[] = [
  // Upper case tells a title from "200 ms after", and a name from "Dr in charge".
  ['name', /(?<![A-Za-z])(?:Mr|Mrs|Ms|Miss|Dr)\.? (?:[A-Z]\.? )?[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ’-]+/],
  [
    'date of birth',
    /(?<![a-z])(?:d\.?o\.?b\.?|born|birth ?day|birth ?date|date of birth)(?![a-z])[^0-9]{0,20}(?:[0-9]{1,2}(?:st|nd|rd|th)?(?: of)?[-/. ](?:[0-9]{1,2}|[a-z]{3,9})[-/. ](?:[0-9]{4}|[0-9]{2})|[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2})(?![0-9])/i,
  ],
  [
    'postcode',
    /(?<![a-z0-9])(?:[beglmnsw]|[a-z]{2})[0-9][a-z0-9]? ?[0-9](?!nd|rd|th|st)[abd-hjlnp-uw-z]{2}(?![a-z0-9])/i,
  ],
  ['email address', /[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}\.[a-z]{2}/i],
  ['phone number', /(?<![0-9+.])(?:\+44 ?(?:\(0\) ?)?|0044 ?|\(?0)[1-9](?:[ ()-]{0,2}[0-9]){8,9}(?![0-9])/],
];

const tenDigits = /(?<![0-9])[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4}(?![0-9])/g;

/** Whether ten digits carry the check digit of an NHS number. */
function isNhsNumber(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < 9; index++) sum += Number(digits[index]) * (10 - index);
  return (11 - (sum % 11)) % 11 === Number(digits[9]);
}

/** The kinds of personal detail a text seems to hold. */
export function findPatientIdentifiers(text: string): string[] {
  const numbers = text.match(tenDigits) ?? [];
  return [
    ...(numbers.some((number) => isNhsNumber(number.replace(/[^0-9]/g, ''))) ? ['NHS number'] : []),
    ...patterns.flatMap(([kind, pattern]) => (pattern.test(text) ? [kind] : [])),
  ];
}
