import { writeCatalogues } from '../texts/catalogues.ts';
import { ENGLISH, PSEUDO_LANGUAGE } from '../texts/language.ts';

const [tag = ''] = process.argv.slice(2);
const known = Intl.PluralRules.supportedLocalesOf(isTag(tag) ? tag : []);
if (known[0] !== tag || tag === ENGLISH || tag === PSEUDO_LANGUAGE) {
  console.error('Usage: npm run texts -- TAG, with the tag of a language such as es or pt-BR');
  process.exit(1);
}
const { messages, missing } = writeCatalogues(tag);
console.log(`texts/catalogues/${tag}: ${messages} texts, ${missing} of them not translated`);

function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text)[0] === text;
  } catch {
    return false;
  }
}
