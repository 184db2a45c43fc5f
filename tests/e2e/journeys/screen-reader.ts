import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { TIMEOUT_MS } from '../../timeouts.ts';
import { waitForHydration } from '../site.ts';

/** More controls than any page has. */
const MAX_PRESSES = 200;

declare global {
  interface Window {
    announce: (text: string) => Promise<void>;
  }
}

/** The words for the states of the accessibility tree. */
const STATES: Record<string, Record<string, string>> = {
  expanded: { true: 'expanded', false: 'collapsed' },
  pressed: { true: 'pressed', false: 'not pressed' },
  checked: { true: 'checked', false: 'not checked', mixed: 'partly checked' },
  selected: { true: 'selected' },
  disabled: { true: 'unavailable' },
  readonly: { true: 'read-only' },
  invalid: { true: 'invalid' },
};

/** Reports what live regions say: each change inside one, and each alert that appears. */
function reportAnnouncements() {
  const live = '[role=status], [role=alert], [role=log], [aria-live=polite], [aria-live=assertive], output';
  new MutationObserver((changes) => {
    const regions = new Set<Element>();
    for (const { target, addedNodes } of changes) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest(live);
      if (region) regions.add(region);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        for (const alert of [node, ...node.querySelectorAll('*')])
          if (alert.matches('[role=alert]')) regions.add(alert);
      }
    }
    for (const region of regions) {
      if (!(region instanceof HTMLElement && region.checkVisibility())) continue;
      const pictures = [...region.querySelectorAll('img')].filter((image) => !image.closest('[inert]'));
      // biome-ignore lint/performance/useDomNodeTextContent: what is not rendered is not read
      const text = [region.innerText, ...pictures.map(({ alt }) => alt)].join(' ').trim();
      if (text) void window.announce(text.replaceAll(/\s+/g, ' '));
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

/**
 * A person who uses a page with the keyboard alone, and perceives it through the accessibility tree and
 * through live regions. An element is said as `role "name", states, value, description`, for example
 * `checkbox "Bionic", not checked`.
 */
export async function screenReader(page: Page) {
  const announced: string[] = [];
  /** The number of announcements before the newest key that does something. */
  let before = 0;
  await page.exposeFunction('announce', (text: string) => void announced.push(text));
  await page.addInitScript(reportAnnouncements);
  const cdp = await page.context().newCDPSession(page);

  /** What is said of an element, given by an expression that yields it. */
  async function said(expression: string): Promise<string> {
    const { result } = await cdp.send('Runtime.evaluate', { expression });
    if (!result.objectId) return 'nothing';
    const { objectId } = result;
    const { nodes } = await cdp.send('Accessibility.getPartialAXTree', { objectId, fetchRelatives: false });
    await cdp.send('Runtime.releaseObject', { objectId });
    const [node] = nodes;
    if (!node || node.ignored) return 'nothing';
    const parts = [`${node.role?.value} ${JSON.stringify(node.name?.value ?? '')}`];
    for (const { name, value } of node.properties ?? []) {
      const state = STATES[name]?.[String(value.value)];
      if (state) parts.push(state);
    }
    if (node.value?.value) parts.push(`holds ${JSON.stringify(node.value.value)}`);
    if (node.description?.value) parts.push(`described ${JSON.stringify(node.description.value)}`);
    return parts.join(', ');
  }

  /** The element with the focus; in a list that is walked while the focus stays in a field, its option. */
  const focused = () =>
    said(
      // The body has the focus at the end of a page, and is no control.
      `document.getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '') ?? document.querySelector('body :focus')`,
    );
  /** The dialog that has the focus. */
  const dialog = () => said(`document.activeElement?.closest('[role=dialog], [role=alertdialog]')`);

  /** Presses a key that does something; what is announced from now on answers it. */
  async function press(key: string) {
    before = announced.length;
    await page.keyboard.press(key);
  }

  /** Presses a key until what has the focus is said with this beginning; every control has a name. */
  async function go(key: string, wanted: string): Promise<string> {
    const passed: string[] = [];
    for (let presses = 0; presses < MAX_PRESSES; presses++) {
      await page.keyboard.press(key);
      // Tabs and menus move the focus in a task of its own, which runs before this one.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      const now = await focused();
      if (now.startsWith(wanted)) return now;
      passed.push(now);
      expect(now, `A control without a name on ${page.url()}, after ${passed.join('\n')}`).not.toMatch(
        /^(generic|button|link|textbox|searchbox|checkbox|radio|combobox|switch|menuitem|option|tab) ""/,
      );
    }
    throw new Error(`${key} does not lead to ${wanted} on ${page.url()}. Passed:\n${passed.join('\n')}`);
  }

  /** Waits until the focus is on an element that is said with this beginning. */
  const lands = (wanted: string) =>
    expect
      .poll(focused, { message: page.url(), timeout: TIMEOUT_MS })
      .toSatisfy((now: string) => now.startsWith(wanted), `The focus is on ${wanted}`);

  /** Waits until the focus is in a dialog of this name. */
  const inDialog = (name: string) =>
    expect.poll(dialog, { timeout: TIMEOUT_MS }).toMatch(new RegExp(`^(alert)?dialog "${name}`));

  /** Waits until a live region has said this since the last key that did something. */
  const hears = (text: string) =>
    expect
      .poll(() => announced.slice(before), { message: page.url(), timeout: TIMEOUT_MS })
      .toSatisfy((texts: string[]) => texts.some((one) => one.includes(text)), `“${text}” is announced`);

  /** Goes to a control and presses it. */
  async function use(wanted: string, key = 'Enter') {
    await go('Tab', wanted);
    await press(key);
  }

  return {
    page,
    focused,
    press,
    go,
    lands,
    tabTo: (wanted: string) => go('Tab', wanted),
    back: (wanted: string) => go('Shift+Tab', wanted),
    type: (text: string) => page.keyboard.type(text),
    async open(path: string) {
      await page.goto(path);
      await waitForHydration(page);
    },
    use,
    /** Types into a field. */
    async write(wanted: string, text: string) {
      await go('Tab', wanted);
      await page.keyboard.type(text);
    },
    async useToHear(wanted: string, text: string) {
      await use(wanted);
      await hears(text);
    },
    async useToLand(wanted: string, there: string) {
      await use(wanted);
      await lands(there);
    },
    async useToOpen(wanted: string, name: string) {
      await use(wanted);
      await inDialog(name);
    },
    inDialog,
    hears,
  };
}
