import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import PO from 'pofile';
import { allMessages, keyOf } from './interface.ts';
import { CATALOGUES, PSEUDO_LANGUAGES } from './language.ts';
import { pseudoText } from './pseudo.ts';
import { pluralForms, type Translate } from './sentence.ts';

const fileOf = (tag: string, catalogue: string) => join(CATALOGUES, tag, `${catalogue}.po`);

/** The items of a catalogue by the keys of their messages. */
function read(tag: string, catalogue: string) {
  const file = fileOf(tag, catalogue);
  const { items } = existsSync(file) ? PO.parse(readFileSync(file, 'utf8')) : new PO();
  return new Map(
    items.map((item) => [
      keyOf({ text: item.msgid, ...(item.msgid_plural && { plural: item.msgid_plural }) }),
      item,
    ]),
  );
}

/** What translates the messages of a catalogue of a language; a message that no one has translated stays English. */
export function translatorOf(tag: string): (catalogue: string) => Translate {
  const kept = new Map<string, Translate>();
  return (catalogue) => {
    const known = kept.get(catalogue);
    if (known) return known;
    const items = PSEUDO_LANGUAGES.includes(tag) ? undefined : read(tag, catalogue);
    const translate: Translate = (message) => {
      const { text, plural } = message;
      const forms = plural === undefined ? ['other'] : pluralForms(tag);
      if (!items)
        return forms.map((form) => pseudoText(form === 'one' || plural === undefined ? text : plural, tag));
      const item = items.get(keyOf(message));
      // What a tool has guessed is not a translation yet, nor is one that lacks a form.
      const isWhole = item && !item.flags.fuzzy && forms.every((_, at) => item.msgstr[at]);
      return isWhole ? item.msgstr : undefined;
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
    [...earlier.values()].flatMap((items) => [...items].filter(([, { msgstr }]) => msgstr.every(Boolean))),
  );
  const forms = pluralForms(tag).length;
  const count = { messages: 0, missing: 0 };
  rmSync(join(CATALOGUES, tag), { recursive: true, force: true });
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
      if (message.plural !== undefined) {
        item.msgid_plural = message.plural;
        item.extractedComments = [`Said of: ${pluralForms(tag).join(', ')}`];
      }
      if (item.msgstr.length === 0)
        item.msgstr = Array.from({ length: message.plural === undefined ? 1 : forms }, () => '');
      po.items.push(item);
      count.messages += 1;
      if (!item.msgstr.every(Boolean) || item.msgstr.length === 0) count.missing += 1;
    }
    const file = fileOf(tag, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, po.toString());
  }
  return count;
}
