// @module-tag whole

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { decodePDFRawStream, PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { makeFile } from '../../../media/files/make-file.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { phonePicture, SECRET } from '../files.ts';
import { catalog, page, pagesOf, pdfOf, stream } from './pdf-objects.ts';

const HELVETICA = '/F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
/** Its A is drawn and read as B. */
const OTHER =
  '/F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [65 /B] >> >>';
/** A black square at the lower left, and a text over it. */
const PLAN = 'BT /F1 14 Tf 20 150 Td (Plan) Tj ET 20 20 60 60 re f ';
/** A red square at the lower right. */
const RED = 'q 1 0 0 rg 120 20 60 60 re f Q ';
/** A blue square at the upper right. */
const BLUE = 'q 0 0 1 rg 120 120 60 60 re f Q ';

interface Parts {
  resources?: string;
  page?: string;
  catalog?: string;
  trailer?: string;
  /** From object 5 on. */
  more?: (string | Buffer)[];
}
const plan = (content: string, parts: Parts = {}) =>
  pdfOf(
    [
      catalog(parts.catalog),
      pagesOf,
      page(
        `/Contents 4 0 R /Resources << /Font << ${HELVETICA} >> ${parts.resources ?? ''} >> ${parts.page ?? ''}`,
      ),
      stream(content, ''),
      ...(parts.more ?? []),
    ],
    parts.trailer,
  );
const form = (content: string, extra = '') =>
  stream(
    content,
    `/Type /XObject /Subtype /Form /BBox [0 0 200 200] /Resources << /Font << ${HELVETICA} >> >> ${extra}`,
  );
/** A form with resources of its own, which draws another one. */
const around = (resources: string) =>
  stream('/Z Do', `/Type /XObject /Subtype /Form /BBox [0 0 200 200] /Resources << ${resources} >>`);
const layers = (settings: string, extra = '') => ({
  catalog: `/OCProperties << /OCGs [5 0 R 6 0 R] /D << ${settings} >> >>`,
  resources: '/Properties << /A 5 0 R /B 6 0 R /M 7 0 R >> /XObject << /X 8 0 R >>',
  more: [
    `<< /Type /OCG /Name (${SECRET}) ${extra} >>`,
    '<< /Type /OCG /Name (B) >>',
    '<< /Type /OCMD /OCGs [5 0 R 6 0 R] /P /AllOn >>',
    form(RED, '/OC 5 0 R'),
  ],
});
const inLayer = (name: string, content: string) => `/OC /${name} BDC ${content} EMC `;
const note = (properties: string, parts: Parts = {}) =>
  plan(PLAN, {
    ...parts,
    page: `/Annots [<< /Type /Annot /Rect [120 20 180 80] /T (${SECRET}) ${properties} >>]`,
    more: [stream('1 0 0 rg 0 0 10 10 re f', '/Type /XObject /Subtype /Form /BBox [0 0 10 10]')],
  });
const LOOK = '/AP << /N 5 0 R >>';
const acroForm = {
  catalog:
    '/AcroForm << /Fields [] /NeedAppearances true /DR << /Font << /Helv << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>',
};
const picture = (bytes: Buffer, filter: string) =>
  plan('q 60 0 0 60 120 20 cm /X Do Q ', {
    resources: '/XObject << /X 5 0 R >>',
    more: [
      stream(
        bytes,
        `/Type /XObject /Subtype /Image /Width 160 /Height 160 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter ${filter}`,
      ),
    ],
  });
const chinese = (mode: string) =>
  plan(`BT ${mode} /F2 20 Tf 20 100 Td <4F60597D> Tj ET`, {
    resources: '',
    page: '',
  })
    .toString('latin1')
    .replace(
      HELVETICA,
      '/F2 << /Type /Font /Subtype /Type0 /BaseFont /SimSun /Encoding /UniGB-UCS2-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /SimSun /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /SimSun /Flags 4 >> >>] >>',
    );

async function restricted(userPassword: string): Promise<Buffer> {
  const document = await PDFDocument.load(note(`/Subtype /Stamp ${LOOK}`));
  document.encrypt({ userPassword, ownerPassword: 'owner', permissions: { printing: false } });
  return Buffer.from(await document.save());
}
/** A red JPEG with a comment, without its end. */
const jpeg = async () => {
  const red = await sharp({ create: { width: 160, height: 160, channels: 3, background: '#f00' } })
    .jpeg()
    .toBuffer();
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, SECRET.length + 2]), Buffer.from(SECRET)]);
  return Buffer.concat([red.subarray(0, 2), comment, red.subarray(2)]);
};

/** What must hold for what was made of it. */
interface Expected {
  leftOut?: string[];
  /** The text of the page; by default that of the plan. */
  text?: string;
  /** Whether the squares at the lower right and the upper right are seen. */
  red?: boolean;
  blue?: boolean;
}

const accepted: Record<string, [() => Buffer | string | Promise<Buffer>, Expected]> = {
  'a figure that LaTeX inserted': [
    () =>
      plan(`${PLAN}/X Do`, {
        resources: '/XObject << /X 5 0 R >>',
        more: [
          form(
            RED,
            `/PTEX.FileName (./${SECRET}.pdf) /PTEX.InfoDict 6 0 R /Info 6 0 R /LastModified (${SECRET})`,
          ),
          `<< /Author (${SECRET}) >>`,
        ],
      }),
    { red: true },
  ],
  'operators within a list of texts': [
    () => plan('BT /F1 14 Tf 20 150 Td [(Socket) 0 Tc -300 (pin) 0.0 Tw q -300 (lock)] TJ ET'),
    { text: 'Socket pin lock' },
  ],
  'a form that has no fonts and takes them from its page': [
    () =>
      plan('/X Do', {
        resources: '/XObject << /X 5 0 R >>',
        more: [
          stream(
            'BT /F1 14 Tf 20 150 Td (A) Tj ET',
            '/Type /XObject /Subtype /Form /BBox [0 0 200 200] /Resources << /ProcSet [/PDF] >>',
          ),
        ],
      })
        .toString('latin1')
        .replace(HELVETICA, OTHER),
    { text: 'B' },
  ],
  'a form that takes its font from two others': [
    () =>
      plan('/X Do /Y Do', {
        resources: '/XObject << /X 5 0 R /Y 6 0 R >>',
        more: [
          around(`/Font << ${HELVETICA} >> /XObject << /Z 7 0 R >>`),
          around(`/Font << ${OTHER} >> /XObject << /Z 7 0 R >>`),
          stream(
            'BT /F1 14 Tf 20 150 Td (A) Tj 0 -20 Td ET',
            '/Type /XObject /Subtype /Form /BBox [0 0 200 200]',
          ),
        ],
      }),
    { text: 'AB' },
  ],
  'letters that are drawings of the page': [
    () =>
      plan(`${PLAN} BT /F2 1 Tf (a) Tj ET`, {
        resources: '/XObject << /X 5 0 R >>',
        more: [form(RED), stream('1 0 d0 /X Do', '')],
      })
        .toString('latin1')
        .replace(
          HELVETICA,
          `${HELVETICA} /F2 << /Type /Font /Subtype /Type3 /FontBBox [0 0 200 200] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [1] /CharProcs << /a 6 0 R >> /Encoding << /Differences [97 /a] >> >>`,
        ),
    { red: true, text: 'Plan\na' },
  ],
  'words that are read as they are drawn, in other letters': [
    () =>
      plan(
        'BT /F1 14 Tf 20 150 Td (0) Tj /Span << /ActualText (.) >> BDC (:) Tj EMC (1) Tj 0 -30 Td /Span /W BDC (InForMATIon) Tj EMC 0 -30 Td /Span << /ActualText (PIN) >> BDC /Span << /ActualText (Pin) >> BDC (pin) Tj EMC EMC ET',
        {
          resources:
            '/Properties << /W << /ActualText <FEFF0049004E0046004F0052004D004100540049004F004E> >> >>',
        },
      ),
    { text: '0.1\nINFORMATION\nPIN' },
  ],
  'words that are read as others': [
    () => plan(`/Span << /ActualText (${SECRET}) >> BDC ${PLAN} EMC ${RED}`),
    { red: true, leftOut: ['hidden texts'] },
  ],
  'words for what is no text': [
    () =>
      plan(`${PLAN} /Span /W BDC ${RED} EMC`, {
        resources: `/Properties << /W << /ActualText (${SECRET}) >> >>`,
      }),
    { red: true, leftOut: ['hidden texts'] },
  ],
  'a description of a picture': [
    () => plan(`${PLAN} /Figure << /Alt (${SECRET}) >> BDC ${RED} EMC`),
    { red: true, leftOut: ['tags for screen readers'] },
  ],
  'texts in marks, comments and unknown operators': [
    () =>
      plan(
        `/Span << /X (${SECRET}) >> BDC ${PLAN}EMC %${SECRET}\n(${SECRET}) x BX (${SECRET}) y EX (${SECRET}) q Q /P << /Alt (${SECRET}) >> DP ${RED}`,
      ),
    { red: true },
  ],
  'names that are words': [
    () =>
      plan(`/${SECRET} gs ${PLAN}${RED}`, {
        resources: `/ExtGState << /${SECRET} << /ca 1 /Author (${SECRET}) >> >> /ProcSet [/${SECRET}]`,
        page: `/${SECRET} (x) /PieceInfo << /AI (${SECRET}) >>`,
        trailer: `/Info << /Author (${SECRET}) >>`,
      }),
    { red: true },
  ],
  'a layer that is on': [
    () => plan(PLAN + inLayer('A', RED) + BLUE, layers('')),
    { red: true, blue: true, leftOut: ['layer names'] },
  ],
  'a layer that is off': [
    () => plan(PLAN + inLayer('A', `${RED} BT /F1 9 Tf (${SECRET}) Tj ET`) + BLUE, layers('/OFF [5 0 R]')),
    { blue: true, leftOut: ['layer names', 'hidden layers'] },
  ],
  'layers that are off unless they are on': [
    () => plan(PLAN + inLayer('A', RED) + inLayer('B', BLUE), layers('/BaseState /OFF /ON [6 0 R]')),
    { blue: true, leftOut: ['layer names', 'hidden layers'] },
  ],
  'a layer that is not seen on a screen': [
    () => plan(PLAN + inLayer('A', RED), layers('', '/Usage << /View << /ViewState /OFF >> >>')),
    { leftOut: ['layer names', 'hidden layers'] },
  ],
  'what needs two layers, one of which is off': [
    () => plan(PLAN + inLayer('M', RED) + BLUE, layers('/OFF [6 0 R]')),
    { blue: true, leftOut: ['layer names', 'hidden layers'] },
  ],
  'a form in a layer that is off': [
    () => plan(`${PLAN}/X Do ${BLUE}`, layers('/OFF [5 0 R]')),
    { blue: true, leftOut: ['layer names', 'hidden layers'] },
  ],
  'a layer that is off and clips what comes behind it': [
    () =>
      plan(
        `${PLAN}${inLayer('A', '0 100 200 100 re W n 0 0 200 200 re f')} ${RED}${BLUE}`,
        layers('/OFF [5 0 R]'),
      ),
    { blue: true, leftOut: ['layer names', 'hidden layers'] },
  ],
  'a stamp': [() => note(`/Subtype /Stamp ${LOOK}`), { red: true }],
  'a square that has no look of its own': [
    () => note('/Subtype /Square /C [1 0 0] /IC [1 0 0]'),
    { red: true },
  ],
  'a comment beside a square': [
    () => note(`/Subtype /Square /Contents (${SECRET}) ${LOOK}`),
    { red: true, leftOut: ['notes'] },
  ],
  'a comment': [() => note(`/Subtype /Text /Contents (${SECRET}) ${LOOK}`), { leftOut: ['notes'] }],
  'a stamp that is hidden': [() => note(`/Subtype /Stamp /F 2 ${LOOK}`), { leftOut: ['hidden notes'] }],
  'an attachment on the page': [
    () => note(`/Subtype /FileAttachment /FS << /F (${SECRET}) >> ${LOOK}`),
    { leftOut: ['attachments'] },
  ],
  'a field filled by a program that draws nothing': [
    () => note('/Subtype /Widget /FT /Tx /V (285) /DA (/Helv 12 Tf 0 g)', acroForm),
    { text: 'Plan\n285', leftOut: ['fields to fill in'] },
  ],
  'a field whose look does not say that it is a form': [
    () =>
      plan(PLAN, {
        page: '/Annots [<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (285) /Rect [120 20 180 80] /AP << /N 5 0 R >> >>]',
        more: [stream('1 0 0 rg 0 0 10 10 re f', '/BBox [0 0 10 10]')],
      }),
    { red: true, leftOut: ['fields to fill in'] },
  ],
  'a field below a note, which readers draw above it': [
    () =>
      plan(PLAN, {
        page: '/Annots [<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [120 20 180 80] /AP << /N 5 0 R >> >> << /Type /Annot /Subtype /Square /Rect [110 10 190 90] /AP << /N 6 0 R >> >>]',
        more: [
          stream('1 0 0 rg 0 0 10 10 re f', '/Subtype /Form /BBox [0 0 10 10]'),
          stream('0 0 1 rg 0 0 10 10 re f', '/Subtype /Form /BBox [0 0 10 10]'),
        ],
      }),
    { red: true, leftOut: ['fields to fill in'] },
  ],
  'a box that is ticked': [
    () => note('/Subtype /Widget /FT /Btn /V /Yes /AS /Yes /AP << /N << /Yes 5 0 R >> >>'),
    { red: true, leftOut: ['fields to fill in'] },
  ],
  'a signature': [
    () => note(`/Subtype /Widget /FT /Sig /V << /Name (${SECRET}) >> ${LOOK}`),
    { red: true, leftOut: ['fields to fill in', 'digital signatures'] },
  ],
  'a stamp on a page that leaves its state open': [
    () =>
      note(`/Subtype /Stamp ${LOOK}`)
        .toString('latin1')
        .replace(PLAN, `${PLAN.slice(0, -13)}re f q 9 0 0 9 0 0 cm`),
    { red: true },
  ],
  'a page that hides a part of itself': [
    () => plan(PLAN + RED, { page: '/CropBox [0 0 100 200]' }),
    { red: true, leftOut: ['cropping of pages'] },
  ],
  'one that may not be printed': [() => restricted(''), { red: true }],
  'a message before the header and another behind the end': [
    () =>
      Buffer.concat([
        Buffer.from('From: a\r\nContent-Type: application/pdf\r\n\r\n'),
        plan(PLAN + RED),
        Buffer.alloc(99),
      ]),
    { red: true },
  ],
  'a JPEG with a comment': [async () => picture(await jpeg(), '/DCTDecode'), { red: true, text: '' }],
  'a JPEG without an end': [
    async () => picture((await jpeg()).subarray(0, -2), '/DCTDecode'),
    { red: true, text: '' },
  ],
  'a JPEG packed again': [
    async () => picture(deflateSync(await jpeg()), '[/FlateDecode /DCTDecode]'),
    { red: true, text: '' },
  ],
  'a JPEG written as digits': [
    async () => picture(Buffer.from(`${(await jpeg()).toString('hex')}>`), '[/ASCIIHexDecode /DCTDecode]'),
    { red: true, text: '' },
  ],
  'an image within the content': [
    async () =>
      plan(
        `${PLAN}q 60 0 0 60 120 20 cm BI /W 160 /H 160 /BPC 8 /CS /RGB /F /DCT /X (${SECRET}) ID ${(await jpeg()).toString('latin1')}\nEI %\xe9${SECRET}\nQ ${BLUE}`,
      ),
    { red: true, blue: true },
  ],
  'an invisible text over a scan, in a font that is not inside': [() => chinese('3 Tr'), { text: '你好' }],
};

const folder = temporaryFolder('pdf');

const make = async (content: Buffer | string) => {
  const path = join(folder, 'sent');
  await writeFile(path, typeof content === 'string' ? Buffer.from(content, 'latin1') : content);
  return makeFile(path, folder);
};

/** Everything in a document, unpacked. */
async function words(): Promise<string> {
  const document = await PDFDocument.load(await readFile(join(folder, 'file.pdf')), {
    updateMetadata: false,
  });
  return document.context
    .enumerateIndirectObjects()
    .map(([, object]) => {
      if (!(object instanceof PDFRawStream)) return String(object);
      const isPacked = object.dict.get(PDFName.of('Filter')) === PDFName.FlateDecode;
      const bytes = isPacked ? decodePDFRawStream(object).decode() : object.getContents();
      return object.dict.toString() + Buffer.from(bytes).toString('latin1');
    })
    .join('\n');
}

/** Whether a place of the page, in its points, has a colour. */
async function has(colour: 'red' | 'blue', x: number, y: number): Promise<boolean> {
  const image = sharp(await readFile(join(folder, 'page-1.webp')));
  const { width = 0 } = await image.metadata();
  const at = { left: Math.round((x * width) / 200), top: Math.round(((200 - y) * width) / 200) };
  const [red = 0, green = 0, blue = 0] = await image
    .extract({ ...at, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer();
  return (colour === 'red' ? red : blue) > 180 && green < 90 && (colour === 'red' ? blue : red) < 90;
}

test.each(Object.entries(accepted))('%s is published as it looks', async (_, [content, expected]) => {
  const { file } = await make(await content());
  expect(file?.facts).toEqual({ pages: 1, ...(expected.leftOut && { leftOut: expected.leftOut }) });
  expect(file?.pageTexts).toEqual([expected.text ?? 'Plan']);
  expect([await has('red', 130, 50), await has('blue', 150, 150)]).toEqual([
    expected.red ?? false,
    expected.blue ?? false,
  ]);
  expect(await words()).not.toMatch(new RegExp(`${SECRET}|Annot|AcroForm|OCG|Author|Encrypt`));
});

test.each<[string, () => Buffer | string | Promise<Buffer>, RegExp]>([
  ['a document that needs a password', () => restricted('secret'), /needs a password to open/],
  ['Chinese in a font that is not inside', () => chinese(''), /needs the font SimSun .* fonts embedded/],
  [
    'signs in a font that is not inside',
    () =>
      plan(PLAN).toString('latin1').replace('/Type1 /BaseFont /Helvetica', '/TrueType /BaseFont /Wingdings'),
    /needs the font Wingdings/,
  ],
  [
    'a text that goes on where a hidden layer ended',
    () => plan(`BT /F1 9 Tf ${inLayer('A', '(a) Tj')} (b) Tj ET`, layers('/OFF [5 0 R]')),
    /Delete them and choose it again/,
  ],
  [
    'a text that readers find under another spelling of its name',
    () => plan(`/Span << /Actual#54ext (Socket) >> BDC ${PLAN}EMC`),
    /Words of page 1 .* print it to a new PDF/,
  ],
  [
    'a picture within the content that seems to end in its middle',
    () => plan(`q 200 0 0 200 0 0 cm BI /W 40 /H 2 /BPC 8 /CS /G ID \nEI ${' 0 0 m'.repeat(12)}    \nEI Q`),
    /Parts of page 1 .* print it to a new PDF/,
  ],
  [
    'a picture of a phone that is no JPEG',
    async () => picture(await phonePicture('png', 40, 40), '/DCTDecode'),
    /image .* damaged/,
  ],
])('%s is refused with a way out', async (_, content, reason) => {
  await expect(make(await content())).rejects.toThrow(reason);
});
