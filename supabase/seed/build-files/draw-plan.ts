import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from '@cantoo/pdf-lib';

/** A sheet of a plan: an outline in millimetres from its lower left corner, with holes as x, y and diameter. */
interface Sheet {
  name: string;
  outline: number[][];
  holes: number[][];
  /** What the dimension lines below and beside it say. */
  width: string;
  height: string;
  notes: string[];
}

export interface Plan {
  title: string;
  sheets: Sheet[];
}

/** Points in a millimetre. */
const MM = 72 / 25.4;
const [PAGE_WIDTH, PAGE_HEIGHT] = [210, 297];
const INK = rgb(0.13, 0.16, 0.2);
const ACCENT = rgb(0.05, 0.42, 0.45);
const GREY = rgb(0.45, 0.48, 0.52);

/** Draws each sheet at full size on a page of its own, with dimensions, notes and a square to check the print by. */
export async function drawPlan({ title, sheets }: Plan): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  // The same drawing is the same file.
  document.setCreationDate(new Date(0));
  document.setModificationDate(new Date(0));
  const regular = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  for (const [index, sheet] of sheets.entries()) {
    const page = document.addPage([PAGE_WIDTH * MM, PAGE_HEIGHT * MM]);
    text(page, bold, title, 20, 270, 16);
    text(page, regular, sheet.name, 20, 260, 12, ACCENT);
    drawSheet(page, regular, sheet);
    for (const [line, note] of sheet.notes.entries()) text(page, regular, note, 20, 78 - line * 8, 10);
    line(page, [20, 46], [190, 46], GREY);
    page.drawRectangle({
      x: 20 * MM,
      y: 16 * MM,
      width: 20 * MM,
      height: 20 * MM,
      borderColor: INK,
      borderWidth: 0.8,
    });
    text(page, regular, 'This square is 20 mm wide when the page is printed at 100 %.', 46, 28, 9, GREY);
    text(page, regular, `Page ${index + 1} of ${sheets.length}`, 46, 21, 9, GREY);
  }
  return document.save();
}

function drawSheet(page: PDFPage, font: PDFFont, { outline, holes, width, height }: Sheet): void {
  const across = Math.max(...outline.map(([x = 0]) => x));
  const up = Math.max(...outline.map(([, y = 0]) => y));
  const [left, bottom] = [(PAGE_WIDTH - across) / 2, 170 - up / 2];
  const at = ([x = 0, y = 0]: number[]): [number, number] => [left + x, bottom + y];
  for (const [index, corner] of outline.entries())
    line(page, at(corner), at(outline[(index + 1) % outline.length] ?? corner), INK, 1.4);
  for (const [x = 0, y = 0, diameter = 0] of holes) {
    const [centreX, centreY] = at([x, y]);
    page.drawCircle({
      x: centreX * MM,
      y: centreY * MM,
      size: (diameter / 2) * MM,
      borderColor: INK,
      borderWidth: 1,
    });
    line(page, [centreX - diameter, centreY], [centreX + diameter, centreY], GREY);
    line(page, [centreX, centreY - diameter], [centreX, centreY + diameter], GREY);
    text(page, font, `${diameter} mm`, centreX + diameter / 2 + 1.5, centreY + diameter / 2 + 1, 8, GREY);
  }
  line(page, [left, bottom - 8], [left + across, bottom - 8], ACCENT);
  for (const end of [left, left + across]) line(page, [end, bottom - 10], [end, bottom - 6], ACCENT);
  text(page, font, width, left + across / 2 - 8, bottom - 14, 9, ACCENT);
  line(page, [left - 8, bottom], [left - 8, bottom + up], ACCENT);
  for (const end of [bottom, bottom + up]) line(page, [left - 10, end], [left - 6, end], ACCENT);
  text(page, font, height, left - 8, bottom + up + 4, 9, ACCENT);
}

function line(
  page: PDFPage,
  [x, y]: [number, number],
  [endX, endY]: [number, number],
  color = INK,
  thickness = 0.6,
) {
  page.drawLine({ start: { x: x * MM, y: y * MM }, end: { x: endX * MM, y: endY * MM }, color, thickness });
}

function text(page: PDFPage, font: PDFFont, words: string, x: number, y: number, size: number, color = INK) {
  page.drawText(words, { x: x * MM, y: y * MM, size, font, color });
}
