import type { Plugin } from 'vite';
import { translatorOf } from './catalogues.ts';
import { fileInApp, inLanguage, knownValues } from './interface.ts';
import { chosenLanguage, ENGLISH, languageRefusal } from './language.ts';

/**
 * Makes a build in the language that the operator has chosen. A build in English is of the sources as they are.
 *
 * @throws at a language that has no catalogues
 */
export function interfaceTexts(): Plugin | false {
  const tag = chosenLanguage();
  if (tag === ENGLISH) return false;
  const refused = languageRefusal(tag);
  if (refused) throw new Error(refused);
  const [values, translator] = [knownValues(), translatorOf(tag)];
  return {
    name: 'interface-texts',
    enforce: 'pre',
    transform(code, id) {
      const file = fileInApp(id.split('?')[0] ?? '');
      return file === undefined
        ? null
        : { code: inLanguage(code, file, { tag, values, translator }), map: { mappings: '' } };
    },
  };
}
