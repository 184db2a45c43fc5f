import './viewer.css';
import { casesText } from '#app/finding/evidence/counts.ts';
import { measures } from '#app/solution/outcomes/measures.ts';
import { facetGroups, facetLabel } from '#app/solution/solutions/value-lists.ts';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { interfaceDirection, interfaceLanguage } from '#app/ui/languages/interface-language.ts';
import { knownText } from '#app/ui/languages/known-text.ts';
import { languageName, textLanguage } from '#app/ui/languages/languages.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import { fingerprintOf, type PackedSolution, packFilters } from './format.ts';
import { type Child, element, frame, titled } from './frame.ts';
import { newerBefore, type Pack, PackError, readData, readPack } from './load.ts';
import { searchOf } from './search.ts';

/** The solutions that a list shows before "Show more". */
const SHOWN = 24;

const solutionsText = (count: number) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? 'solution' : 'solutions'}`;

/** What the reader has typed and chosen, which a visit of a solution leaves as it is. */
const chosen = { search: '', values: new Set<string>(), shown: SHOWN };

/** Shows an image once it is checked; none where the site no longer had it. */
async function show(image: HTMLImageElement, { images }: PackedSolution, index: number): Promise<void> {
  if (!images) return;
  try {
    const all: (string | null)[] = JSON.parse(await readData('images', images.sha256));
    const base64 = all[index];
    if (base64) image.src = `data:image/avif;base64,${base64}`;
    else image.remove();
  } catch (error) {
    image.replaceWith(
      element('p', { class: 'warning' }, error instanceof PackError ? error.message : String(error)),
    );
  }
}

const cards = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries)
      if (isIntersecting) {
        cards.unobserve(target);
        target.dispatchEvent(new Event('seen'));
      }
  },
  { rootMargin: '200px' },
);

function card(solution: PackedSolution): HTMLElement {
  const image = element('img', { alt: '' });
  if (solution.images) {
    image.addEventListener('seen', () => void show(image, solution, 0));
    cards.observe(image);
  }
  const [level = '', , type = ''] = solution.facets;
  return element(
    'li',
    { class: 'card' },
    element('div', { class: 'picture' }, solution.images !== null && image),
    solution.notices[0] &&
      element('p', { class: `warning ${solution.notices[0].kind ?? 'recall'}` }, solution.notices[0].title),
    element(
      'h3',
      {},
      element('a', { href: `#s/${solution.id}`, ...textLanguage(solution.language) }, solution.title),
    ),
    element('p', { class: 'small' }, element('bdi', {}, solution.author), ` · ${level} · ${type}`),
  );
}

function notices({ solutions }: Pack): Child {
  const warned = solutions.filter((solution) => solution.notices.length > 0);
  if (warned.length === 0) return undefined;
  const items = warned.flatMap((solution) =>
    solution.notices.map(({ kind, title, content, language, day }) =>
      element(
        'li',
        { class: kind ?? 'recall' },
        element('strong', { lang: 'en' }, title),
        ` ${formatDay(day)}: `,
        element('a', { href: `#s/${solution.id}`, ...textLanguage(solution.language) }, solution.title),
        element('p', { ...asWritten(content, language) }, content),
      ),
    ),
  );
  return element(
    'section',
    { class: 'notices', 'aria-labelledby': 'notices' },
    element('h2', { id: 'notices' }, 'Safety notices'),
    element('ul', {}, ...items),
  );
}

let vocabulary: string[] | undefined;

/** The different words of all solutions, put together with the first search: there is one pack, and its list is opened often. */
function vocabularyOf({ solutions }: Pack): readonly string[] {
  if (chosen.search) vocabulary ??= [...new Set(solutions.flatMap(({ words }) => words.trim().split(' ')))];
  return vocabulary ?? [];
}

function browse(pack: Pack): void {
  titled('Browse', pack);
  const list = element('ul', { class: 'cards' });
  const status = element('p', { role: 'status' });
  const more = element('button', { type: 'button' }, 'Show more');
  const results = () => {
    const { finds, corrected } = searchOf(chosen.search, pack.manifest.synonyms, vocabularyOf(pack));
    const groups = filterGroups(pack).map(({ values }) => values.filter((value) => chosen.values.has(value)));
    const found = pack.solutions.filter(
      ({ words, facets }) =>
        finds(words) &&
        groups.every((values) => values.length === 0 || values.some((value) => facets.includes(value))),
    );
    list.replaceChildren(...found.slice(0, chosen.shown).map(card));
    status.textContent =
      found.length === 0
        ? 'No solution has all of this.'
        : corrected
          ? `No results for “${chosen.search}”. Showing results for “${corrected}”: ${solutionsText(found.length)}`
          : solutionsText(found.length);
    more.hidden = found.length <= chosen.shown;
  };
  more.addEventListener('click', () => {
    const before = list.children.length;
    chosen.shown += SHOWN;
    results();
    list.children[before]?.querySelector('a')?.focus();
  });
  const search = element('input', { type: 'search', id: 'search', maxlength: '200', autocomplete: 'off' });
  search.value = chosen.search;
  search.addEventListener('input', () => {
    Object.assign(chosen, { search: search.value, shown: SHOWN });
    results();
  });
  const fields = filterGroups(pack).map(({ label, values }) =>
    element('fieldset', {}, element('legend', {}, label), ...values.map((value) => choice(value, results))),
  );
  frame(
    pack,
    element('h1', {}, 'Solutions'),
    notices(pack),
    element('label', { for: 'search' }, 'Search'),
    search,
    element('details', { class: 'filters' }, element('summary', {}, 'Filters'), ...fields),
    status,
    list,
    more,
  );
  results();
}

function choice(value: string, changed: () => void): HTMLElement {
  const box = element('input', { type: 'checkbox' });
  box.checked = chosen.values.has(value);
  box.addEventListener('change', () => {
    if (box.checked) chosen.values.add(value);
    else chosen.values.delete(value);
    chosen.shown = SHOWN;
    changed();
  });
  return element('label', {}, box, facetLabel(value));
}

/** The filters that find something. */
function filterGroups({ solutions }: Pack): { label: string; values: string[] }[] {
  const used = new Set(solutions.flatMap(({ facets }) => facets));
  return facetGroups
    .map(({ key, label, values }) => ({
      label,
      values: [...values, ...(key === 'evidence' ? packFilters : [])].filter((value) => used.has(value)),
    }))
    .filter(({ values }) => values.length > 0);
}

/**
 * @param isSheet shows only what is needed at the bench: notices, steps and parts
 * @param into the language of a translation, blank for the original
 */
function solutionPage(id: string, isSheet: boolean, into: string, pack: Pack): void {
  const solution = pack.solutions.find((each) => each.id === id);
  const shown = into ? solution?.translations.find(({ language }) => language === into) : solution;
  if (!solution || !shown) {
    missing(pack);
    return;
  }
  titled(shown.title, pack);
  const others = [{ ...solution, ofVersion: undefined }, ...solution.translations].filter(
    ({ language }) => language !== shown.language,
  );
  const addressIn = (kind: 's' | 'w', { language }: { language: string }) =>
    `#${kind}/${id}${language === solution.language ? '' : `/${language}`}`;
  // A document of its own loads nothing.
  const parsed = new DOMParser().parseFromString(shown.html, 'text/html');
  const article = element(
    'article',
    { lang: 'en', ...(isSheet && { class: 'sheet' }) },
    ...document.importNode(parsed.body, true).childNodes,
  );
  const hasSheet = article.querySelector('section') !== null;
  for (const image of article.querySelectorAll('img')) {
    const index = Number(image.getAttribute('src')?.slice(1));
    image.removeAttribute('src');
    image.removeAttribute('loading');
    void show(image, solution, index);
  }
  const print = element('button', { type: 'button' }, 'Print');
  print.addEventListener('click', () => window.print());
  const page = `${pack.manifest.siteUrl}/solutions/${id}`;
  frame(
    pack,
    others.length > 0 &&
      element(
        'p',
        { class: 'actions' },
        'Also in',
        ...others.map((other) =>
          element(
            'span',
            {},
            element(
              'a',
              { href: addressIn(isSheet ? 'w' : 's', other), hreflang: other.language },
              languageName(other.language),
            ),
            other.ofVersion !== undefined && ` (of version ${other.ofVersion})`,
          ),
        ),
      ),
    article,
    element(
      'p',
      { class: 'small' },
      'Videos, build files, comments and reports of members who tried it are on ',
      element('a', { href: page }, 'its page'),
      '.',
    ),
    element(
      'p',
      { class: 'actions' },
      print,
      isSheet && element('a', { href: addressIn('s', shown) }, 'Whole solution'),
      !isSheet && hasSheet && element('a', { href: addressIn('w', shown) }, 'Workshop sheet'),
    ),
  );
}

function evidence(pack: Pack): void {
  titled('Evidence', pack);
  const { evidence: counts } = pack.manifest;
  const reported = measures.filter(({ abbreviation }) =>
    counts.some(({ measure }) => measure === abbreviation),
  );
  const items = reported.flatMap(({ abbreviation, name, construct }) => [
    element('h2', {}, `${name} (${abbreviation})`),
    element('p', { class: 'small' }, construct),
    element(
      'ul',
      {},
      ...counts
        .filter(({ measure }) => measure === abbreviation)
        .map((each) =>
          element(
            'li',
            {},
            `${knownText(each.type) || 'Shown without level, type or case'}: ${casesText(each)}`,
          ),
        ),
    ),
  ]);
  frame(
    pack,
    element('h1', {}, 'Evidence'),
    element(
      'p',
      {},
      'Members chose which cases to share, so these are not a sample. Do not add them up or compare them to estimate an effect.',
    ),
    ...(items.length > 0 ? items : [element('p', {}, 'No case reports a measured outcome yet.')]),
  );
}

function about(pack: Pack): void {
  titled('About this pack', pack);
  const { manifest, solutions, keyHash, isSignatureChecked } = pack;
  const updatePath = `${manifest.siteUrl}/take-with-you?since=${encodeURIComponent(manifest.madeAt)}#update`;
  frame(
    pack,
    element('h1', {}, 'About this pack'),
    element(
      'p',
      {},
      `${solutionsText(solutions.length)} of ${manifest.siteUrl}, made on ${formatDay(manifest.madeAt)}.`,
    ),
    element(
      'p',
      {},
      'It holds what everyone can see there and may copy. What was withdrawn or hidden goes with the next update, so bring the pack up to date often, and look on the site for safety notices before you build. ',
      element('a', { href: updatePath }, 'Bring it up to date'),
    ),
    element('h2', {}, 'Is it complete?'),
    element(
      'p',
      {},
      isSignatureChecked
        ? 'The texts and images that you see were compared with the signature of the site as they were opened.'
        : 'The texts and images that you see were compared with their checksums. Who made them could not be checked.',
    ),
    element('p', {}, 'Key of the site: ', element('code', {}, fingerprintOf(keyHash))),
    element(
      'p',
      {},
      'The files of a pack are programs. Anyone who can change one can make this page say anything, this sentence included. If you don’t trust how the pack reached you, check the folder with the program of the site before you open it, and ask the site for its key.',
    ),
  );
}

function missing(pack: Pack): void {
  titled('Not in this pack', pack);
  frame(
    pack,
    element('h1', {}, 'Not in this pack'),
    element('p', {}, element('a', { href: '#' }, 'All solutions')),
  );
}

function route(pack: Pack): void {
  const [, kind, id = '', into = ''] = /^#([sw])\/([0-9a-f-]{36})(?:\/([\w-]+))?$/.exec(location.hash) ?? [];
  if (kind) solutionPage(id, kind === 'w', into, pack);
  else if (location.hash === '#evidence') evidence(pack);
  else if (location.hash === '#about') about(pack);
  else browse(pack);
}

function refuse(sentence: string, ...more: Child[]): void {
  document.title = 'Field pack';
  const says = 'Nothing in it is shown. Copy the pack again from where you got it.';
  document.body.replaceChildren(
    element(
      'main',
      {},
      element('h1', {}, 'This pack cannot be opened'),
      element('p', { role: 'alert' }, sentence),
      element('p', {}, says),
      ...more,
    ),
  );
}

function open(pack: Pack): void {
  route(pack);
  window.addEventListener('hashchange', () => {
    route(pack);
    // The header has the age of the pack.
    window.scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  });
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark', dark.matches);
dark.addEventListener('change', follow);
follow();
document.documentElement.lang = interfaceLanguage;
document.documentElement.dir = interfaceDirection;
async function start(): Promise<void> {
  document.body.replaceChildren(element('main', {}, element('p', { role: 'status' }, 'Checking the pack …')));
  try {
    const pack = await readPack();
    const newer = newerBefore(pack.manifest);
    if (newer) {
      const anyway = element('button', { type: 'button' }, 'Open the older pack');
      anyway.addEventListener('click', () => open(pack));
      refuse(
        `It was made on ${formatDay(pack.manifest.madeAt)}. A newer one, made on ${formatDay(newer)}, has been opened on this computer.`,
        anyway,
      );
    } else open(pack);
  } catch (error) {
    refuse(error instanceof PackError ? error.message : String(error));
  }
}

void start();
