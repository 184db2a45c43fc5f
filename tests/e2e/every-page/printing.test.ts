// @module-tag whole

import { PDFiumLibrary } from '@hyzyla/pdfium';
import { expect, it } from 'vitest';
import { openSite } from '../site.ts';

const site = openSite({ demo: true });
/** What the site has for its screens: header, footer and what only a press makes useful. */
const OF_SCREENS = [
  'Skip to main content',
  'Browse Solutions',
  'Sign In',
  'Privacy Policy',
  'Report',
  'Play video',
];

/** The texts of the sheets on which a page is printed. */
async function printed(path: string): Promise<string[]> {
  const page = await site.visit(path);
  await page.waitForLoadState('networkidle');
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(await page.pdf({ format: 'A4' }));
  const sheets = [...document.pages()].map((sheet) => sheet.getText());
  document.destroy();
  library.destroy();
  return sheets;
}

it('a solution with everything is printed on four sheets, its workshop sheet on two, without what screens have', async () => {
  const data = await site.row('solutions', 'id', { title: 'Violin bow adapter with a free wrist joint' });
  const [solution, sheet] = [
    await printed(`/solutions/${data.id}`),
    await printed(`/solutions/${data.id}/workshop-sheet`),
  ];
  expect(solution.length).toBeLessThanOrEqual(4);
  expect(sheet.length).toBeLessThanOrEqual(2);
  for (const text of [...solution, ...sheet]) {
    expect(OF_SCREENS.filter((words) => text.includes(words))).toEqual([]);
    // No sheet is begun for a line or two.
    expect(text.trim().split('\n').length).toBeGreaterThan(5);
  }
  for (const words of ['Solution Details', 'How to build it', 'Build files', 'Tried by others', 'Discussion'])
    expect(solution.join('\n')).toContain(words);
  // A sheet is read later than it was printed.
  expect(solution.join('\n')).not.toMatch(/\bago\b/);
});
