/** The language of the interface, as a tag of BCP 47; a build in another language replaces it, here and wherever it stands. */
export const interfaceLanguage: string = 'en-GB';

/** The scripts that are written from right to left, by what languages in them are called. */
const RIGHT_TO_LEFT = new Set('ar az-Arab ckb dv fa he ks pa-Arab ps sd ug ur yi'.split(' '));

/** Whether a language, in whatever region, is written from right to left. */
export const isRightToLeft = (tag: string): boolean =>
  RIGHT_TO_LEFT.has(tag.replace(/-([A-Z]{2}|\d{3})$/, ''));

/** The direction in which the interface is written. */
export const interfaceDirection = isRightToLeft(interfaceLanguage) ? 'rtl' : 'ltr';

/** The language of dates, by the calendar that everyone shares: English ones name the month first, as the specification does. */
export const dateLanguage = interfaceLanguage === 'en-GB' ? 'en-US' : `${interfaceLanguage}-u-ca-gregory`;
