import { formatDay } from '#app/ui/texts/dates.ts';
import type { Pack } from './load.ts';

const DAY_MS = 86_400_000;

/** What can stand in an element; nothing where it is false. */
export type Child = Node | string | false | undefined;

/** An element with these attributes. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== false && child !== undefined));
  return made;
}

function ageOf(madeAt: string): string {
  const days = Math.floor((Date.now() - Date.parse(madeAt)) / DAY_MS);
  const age =
    days < 0
      ? 'which is later than this computer’s clock'
      : days === 0
        ? 'today'
        : `${days.toLocaleString('en-GB')} ${days === 1 ? 'day' : 'days'} old`;
  return `As of ${formatDay(madeAt)}, ${age}`;
}

/** Shows a page of the pack, under its name and age. */
export function frame({ manifest, isSignatureChecked }: Pack, ...children: Child[]): void {
  const main = element('main', { id: 'main', tabindex: '-1' }, ...children);
  document.body.replaceChildren(
    element('a', { href: '#main', class: 'skip' }, 'Skip to content'),
    element(
      'header',
      {},
      element(
        'nav',
        { 'aria-label': 'Main' },
        element('a', { href: '#', class: 'name' }, manifest.name),
        element('a', { href: '#evidence' }, 'Evidence'),
        element('a', { href: '#about' }, 'About this pack'),
      ),
      element('p', { class: 'age' }, ageOf(manifest.madeAt)),
      !isSignatureChecked &&
        element('p', { class: 'warning' }, 'This browser cannot check who made this pack. A newer one can.'),
    ),
    main,
  );
  // The link of the frame leads within the page, and is no address of it.
  document.querySelector('.skip')?.addEventListener('click', (event) => {
    event.preventDefault();
    main.focus();
  });
}

/** Names the page in the window of the browser. */
export const titled = (title: string, { manifest }: Pack) => {
  document.title = `${title} · ${manifest.name}`;
};
