import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import PO from 'pofile';
import { allMessages, keyOf } from './interface.ts';
import { CATALOGUES, PSEUDO_LANGUAGE } from './language.ts';
import { pseudoText } from './pseudo.ts';
import { pluralForms, type Translate } from './sentence.ts';

type Item = InstanceType<typeof PO.Item>;

/** The characters of a place's source that a translator is shown. */
const MAX_PLACE = 60;

const fileOf = (tag: string, catalogue: string) => join(CATALOGUES, tag, `${catalogue}.po`);

/**
 * The items of a catalogue by the keys of their messages.
 *
 * @throws on a file of which a part cannot be read
 */
function read(tag: string, catalogue: string) {
  const file = fileOf(tag, catalogue);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const { items } = PO.parse(text);
  const written = text.match(/^msgid (?!""\n(?!"))/gm)?.length ?? 0;
  if (items.length !== written)
    throw new Error(`${file} has ${written} texts, of which ${items.length} can be read`);
  return new Map(
    items.map((item) => [
      keyOf({ text: item.msgid, ...(item.msgid_plural && { plural: item.msgid_plural }) }),
      item,
    ]),
  );
}

/** Whether an item is translated: what a tool has guessed is not, nor what lacks a form. */
const isTranslated = ({ msgstr, flags }: Item) => msgstr.length > 0 && msgstr.every(Boolean) && !flags.fuzzy;

/** Numbers that a plural form is said of, so that a translator knows whether the form needs the number. */
function examplesOf(tag: string, form: string): string {
  const rules = new Intl.PluralRules(tag);
  const numbers = Array.from({ length: 150 }, (_, number) => number).filter(
    (number) => rules.select(number) === form,
  );
  return `${form} (${numbers.slice(0, 4).join(', ') || 'fractions, millions'})`;
}

/** What translates the messages of a catalogue of a language; a message that no one has translated stays English. */
export function translatorOf(tag: string): (catalogue: string) => Translate {
  const kept = new Map<string, Translate>();
  return (catalogue) => {
    const known = kept.get(catalogue);
    if (known) return known;
    const items = tag === PSEUDO_LANGUAGE ? undefined : read(tag, catalogue);
    const translate: Translate = (message) => {
      const { text, plural } = message;
      const forms = plural === undefined ? ['other'] : pluralForms(tag);
      if (!items) return forms.map((form) => pseudoText(form === 'one' ? text : (plural ?? text)));
      const item = items.get(keyOf(message));
      return item && isTranslated(item) ? item.msgstr : undefined;
    };
    kept.set(catalogue, translate);
    return translate;
  };
}

/**
 * Writes the catalogues of a language, with what is translated already, without what the interface no longer says.
 *
 * @returns the number of messages, and of those without a translation
 */
export function writeCatalogues(tag: string): { messages: number; missing: number } {
  const all = allMessages();
  const earlier = new Map(
    globSync('**/*.po', { cwd: join(CATALOGUES, tag) }).map((file) => {
      const name = file.split(sep).join('/').replace(/\.po$/, '');
      return [name, read(tag, name)];
    }),
  );
  /** What is translated in any catalogue, for a text that is new in one of them, as when its component has moved. */
  const anywhere = new Map(
    [...earlier.values()].flatMap((items) => [...items].filter(([, item]) => isTranslated(item))),
  );
  const forms = pluralForms(tag).length;
  const count = { messages: 0, missing: 0 };
  // Written beside its place, so that nothing of a translator's is lost when this is cut off.
  const made = join(CATALOGUES, `.${tag}-${process.pid}`);
  for (const [name, messages] of all) {
    const po = new PO();
    po.headers = {
      Language: tag,
      'Content-Type': 'text/plain; charset=UTF-8',
      'Content-Transfer-Encoding': '8bit',
      'Plural-Forms': `nplurals=${forms}; plural=0;`,
    };
    for (const message of messages) {
      const key = keyOf(message);
      const item = new PO.Item();
      const known = earlier.get(name)?.get(key) ?? anywhere.get(key);
      if (known) Object.assign(item, { msgstr: known.msgstr, flags: known.flags, comments: known.comments });
      item.msgid = message.text;
      item.extractedComments = message.places.map(
        (place, at) => `${at}: ${place.replace(/\s+/g, ' ').slice(0, MAX_PLACE)}`,
      );
      if (message.plural !== undefined) {
        item.msgid_plural = message.plural;
        item.extractedComments.push(
          `Said of: ${pluralForms(tag)
            .map((form) => examplesOf(tag, form))
            .join(', ')}`,
        );
      }
      if (item.msgstr.length === 0)
        item.msgstr = Array.from({ length: message.plural === undefined ? 1 : forms }, () => '');
      po.items.push(item);
      count.messages += 1;
      if (!isTranslated(item)) count.missing += 1;
    }
    const file = join(made, `${name}.po`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, po.toString());
  }
  rmSync(join(CATALOGUES, tag), { recursive: true, force: true });
  renameSync(made, join(CATALOGUES, tag));
  return count;
}
