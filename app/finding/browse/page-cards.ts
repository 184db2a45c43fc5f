import type { PageData } from '#app/frame/context/page-data.tsx';
import type { BrowsePage, SolutionCardData } from '#app/solution/solutions/data.ts';

/** A page of results whose cards are in the document: their number, in the place of their data. */
type DrawnPage = Omit<BrowsePage, 'items'> & { drawn: number };

interface Pages<Page> {
  pages: Page[];
}

const mapPages = <From, To>(state: PageData, change: (page: From) => To): PageData =>
  state.map(([key, data]) => {
    const { pages, ...rest } = data as Pages<From>;
    return [key, { ...rest, pages: pages.map(change) }];
  });

/** The state of browse without what its cards show, which would be a fifth of the document. */
export const withoutCards = (state: PageData): PageData =>
  mapPages(state, ({ items, ...page }: BrowsePage): DrawnPage => ({ ...page, drawn: items.length }));

const completed = new WeakMap<PageData, PageData | undefined>();

/**
 * The whole state of browse, with the cards as the document has them. It is made while they are still as they came, and
 * kept for as long as the page may be drawn again. Undefined where the document lacks cards, since the list could not
 * be drawn; the page then asks the API.
 */
export function withCards(state: PageData, document: ParentNode): PageData | undefined {
  const pages = state.flatMap(([, data]) => (data as Pages<BrowsePage | DrawnPage>).pages);
  if (pages.every((page) => 'items' in page)) return state;
  if (!completed.has(state)) {
    const cards = [...document.querySelectorAll('.solution-list .solution-card')].map(readCard);
    let read = 0;
    const whole = mapPages(state, ({ drawn, ...page }: DrawnPage): BrowsePage => {
      read += drawn;
      return { ...page, items: cards.slice(read - drawn, read) };
    });
    completed.set(state, cards.length === read ? whole : undefined);
  }
  return completed.get(state);
}

const signOf = (icon: Element) => [...icon.classList].find((name) => name !== 'icon') ?? '';

/** What a card shows, from its elements; see `SolutionCard`. */
function readCard(card: Element): SolutionCardData {
  const find = (selector: string) => card.querySelector(selector);
  const text = (selector: string) => find(selector)?.textContent ?? '';
  const own = (selector: string) =>
    [...(find(selector)?.childNodes ?? [])].flatMap(({ nodeType, nodeValue }) =>
      nodeType === 3 ? [nodeValue ?? ''] : [],
    );
  const picture = find('img');
  const address = picture?.getAttribute('srcset') ?? picture?.getAttribute('src') ?? '';
  const [stored] = /\/storage\/v1\/[^?]+/.exec(address) ?? [];
  const [likes, comments] = own('.card-counts');
  const [video] = own('.card-video');
  const credential = find('[data-credential]');
  const audience = find('.card-audience')?.getAttribute('data-audience');
  const safetyKind = find('.card-safety')?.getAttribute('data-kind');
  return {
    id: find('a')?.getAttribute('href')?.split('/').at(-1) ?? '',
    title: text('a'),
    description: text('.card-description'),
    thumbnail_url: stored?.replace('/render/image/', '/object/') ?? null,
    occupation: text('.card-facts .badge'),
    amputation_level: text('.card-level'),
    materials: own('.card-facts').join(''),
    likes_count: Number(likes),
    comments_count: Number(comments),
    day: find('time')?.getAttribute('datetime') ?? '',
    author: text('.card-author .truncate'),
    profession: text('.card-date > bdi'),
    badges: [...card.querySelectorAll('.card-author > .icon:not([data-credential])')].map((badge) => ({
      name: badge.getAttribute('title') ?? '',
      sign: signOf(badge),
    })),
    ...(credential && {
      credential: { text: credential.getAttribute('title') ?? '', sign: signOf(credential) },
    }),
    ...(video && { video }),
    ...(safetyKind && { safety_kind: safetyKind }),
    ...(audience && { audience }),
    ...(find('[data-mark=tried]') && {
      tried_count: Number(text('[data-mark=tried]').replace('Tried by ', '')),
    }),
    ...(find('[data-mark=files]') && { has_files: true }),
    ...(find('[data-mark=outcomes]') && { has_outcomes: true }),
  };
}
