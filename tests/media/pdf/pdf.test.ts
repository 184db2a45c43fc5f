import { deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { officePdf } from '../build-files.ts';
import { expectNoMetadata } from '../expect-no-metadata.ts';
import { phonePicture, SECRET } from '../files.ts';
import { buildFileMaker } from '../make-build-file.ts';
import { catalog, page, pagesOf, pdfOf, stream } from './pdf-objects.ts';

const make = buildFileMaker();

const drawing = stream(Buffer.from('10 10 100 100 re f'), '');
const action = (text: string) => `<< /S ${text} >>`;

describe('a PDF', () => {
  test('keeps its pages and nothing about its author', async () => {
    const sent = await officePdf();
    expect(sent.includes(SECRET)).toBe(true);
    const { contents, file } = await make(sent);
    expect(file).toEqual({
      type: 'pdf',
      facts: { pages: 2, leftOut: ['attachments', 'scripts', 'links', 'notes'] },
      pageTexts: ['Cutting plan, page 1', 'Cutting plan, page 2'],
    });
    const [document = Buffer.alloc(0), ...pictures] = contents;
    const read = await PDFDocument.load(document, { updateMetadata: false });
    expect([read.getPageCount(), read.getAuthor(), read.getProducer()]).toEqual([2, undefined, undefined]);
    const readable = Buffer.from(await read.save({ useObjectStreams: false })).toString('latin1');
    for (const word of [
      SECRET,
      'JavaScript',
      'OpenAction',
      'EmbeddedFile',
      'URI',
      'Annots',
      'PieceInfo',
      'Metadata',
      'Exif',
    ])
      expect(readable).not.toContain(word);
    expect(pictures).toHaveLength(2);
    for (const picture of pictures) {
      await expectNoMetadata(picture);
      expect(await sharp(picture).metadata()).toMatchObject({ format: 'webp', width: 1201, height: 1700 });
      // The phone's picture is still there, in its colours.
      const corners = [
        [172, 429],
        [172, 1030],
        [687, 429],
        [687, 1030],
      ].map(async ([left = 0, top = 0]) => {
        const at = { left, top, width: 1, height: 1 };
        const [red = 0, green = 0, blue = 0] = await sharp(picture)
          .extract(at)
          .removeAlpha()
          .raw()
          .toBuffer();
        return red - Math.max(green, blue);
      });
      expect(Math.max(...(await Promise.all(corners)))).toBeGreaterThan(80);
    }
  });

  const image = (filter: string) =>
    `/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter ${filter}`;
  const withImage = (drawn: Buffer) =>
    pdfOf([
      catalog(),
      pagesOf,
      page('/Contents 5 0 R /Resources << /XObject << /I 4 0 R >> >>'),
      drawn,
      stream(Buffer.from('/I Do'), ''),
    ]);
  /** A part of a JBIG2. */
  const segment = (type: number, data: Buffer) => {
    const head = Buffer.from([0, 0, 0, 0, type, 0, 1, 0, 0, 0, data.length]);
    return Buffer.concat([head, data]);
  };
  /** A region of a JBIG2 of 8 by 8 pixels. @param flags of which the first says that it is packed as faxes are */
  const region = (flags: number) =>
    segment(
      38,
      Buffer.from([
        0,
        0,
        0,
        8,
        0,
        0,
        0,
        8,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        flags,
        3,
        0xff,
        0xfd,
        0xff,
        2,
        0xfe,
        0xfe,
        0xfe,
        0,
        0,
      ]),
    );
  const annotation = (what: string) =>
    page(`/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] ${what} >>]`);
  test.each<[string, (string | Buffer)[], string?]>([
    [
      'a script at opening',
      [catalog(`/OpenAction ${action('/JavaScript /JS (evil)')}`), pagesOf, page()],
      'scripts',
    ],
    [
      'a script of the page',
      [catalog(), pagesOf, page(`/AA << /O ${action('/JavaScript /JS (evil)')} >>`)],
      'scripts',
    ],
    [
      'a script of the document',
      [catalog(`/AA << /WC ${action('/JavaScript /JS (evil)')} >>`), pagesOf, page()],
      'scripts',
    ],
    [
      'a program to start',
      [catalog(), pagesOf, annotation(`/A ${action('/Launch /F (evil.exe)')}`)],
      'links',
    ],
    ['a link', [catalog(), pagesOf, annotation(`/A ${action('/URI /URI (https://evil.example)')}`)], 'links'],
    [
      'a link into another file',
      [catalog(), pagesOf, annotation(`/A ${action('/GoToR /F (evil.pdf) /D [0 /Fit]')}`)],
      'links',
    ],
    [
      'a form that is sent',
      [catalog(), pagesOf, annotation(`/A ${action('/SubmitForm /F (https://evil.example)')}`)],
      'links',
    ],
    [
      'data to be imported',
      [catalog(), pagesOf, annotation(`/A ${action('/ImportData /F (evil.fdf)')}`)],
      'links',
    ],
    [
      'a film',
      [
        catalog(),
        pagesOf,
        page('/Annots [<< /Type /Annot /Subtype /RichMedia /Rect [0 0 9 9] /NM (evil) >>]'),
      ],
      'videos',
    ],
    [
      'an attachment',
      [catalog('/Names << /EmbeddedFiles << /Names [(evil) << /F (evil) >>] >> >>'), pagesOf, page()],
      'attachments',
    ],
    [
      'associated files',
      [catalog('/AF [<< /F (evil) >>]'), pagesOf, page('/AF [<< /F (evil) >>]')],
      'attachments',
    ],
    [
      'private data of a program',
      [catalog('/PieceInfo << /X (evil) >>'), pagesOf, page('/PieceInfo << /X (evil) >>')],
    ],
    [
      'metadata of a font',
      [
        catalog(),
        pagesOf,
        page(
          '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Metadata 4 0 R >> >> >>',
        ),
        stream(Buffer.from('evil'), '/Type /Metadata'),
      ],
    ],
    [
      'an outline that runs a script',
      [catalog(`/Outlines << /First << /A ${action('/JavaScript /JS (evil)')} >> >>`), pagesOf, page()],
      'bookmarks',
    ],
    [
      'a threat in layers',
      [
        catalog(`/OCProperties << /D (evil) >>`),
        pagesOf,
        page('/Resources << /Properties << /M << /JS (evil) >> >> >>'),
      ],
    ],
    [
      'a comment of a scanner',
      [
        catalog(),
        pagesOf,
        page('/Contents 5 0 R /Resources << /XObject << /I 4 0 R >> >>'),
        stream(
          Buffer.concat([segment(62, Buffer.from('evil')), region(0)]),
          image('/JBIG2Decode /DecodeParms << /JBIG2Globals 6 0 R >>'),
        ),
        stream('/I Do', ''),
        stream(segment(62, Buffer.from('evil')), ''),
      ],
    ],
    [
      'a line that is not drawn',
      [catalog(), pagesOf, page('/Annots [<< /Type /Annot /Subtype /Polygon /Rect [0 0 9 9] /NM (evil) >>]')],
      'drawn notes',
    ],
    ['an address to resolve links by', [catalog('/URI << /Base (https://evil.example) >>'), pagesOf, page()]],
  ])('with %s is published without it', async (_name, objects, leftOut) => {
    const { contents, file } = await make(pdfOf(objects, '/Info << /Author (evil) >>'));
    expect(file?.facts).toEqual({ pages: 1, ...(leftOut && { leftOut: [leftOut] }) });
    const read = await PDFDocument.load(contents[0] ?? Buffer.alloc(0), { updateMetadata: false });
    const readable = Buffer.from(await read.save({ useObjectStreams: false })).toString('latin1');
    for (const word of ['evil', 'JavaScript', 'Launch', 'SubmitForm', 'GoToR', 'RichMedia', 'XFA'])
      expect(readable).not.toContain(word);
  });

  const bomb = deflateSync(Buffer.alloc(320 * 1024 * 1024));
  test('with a ticked box that has no look says that its value is lost', async () => {
    const box = '/Type /Annot /Subtype /Widget /FT /Btn /T (a) /Rect [0 0 9 9]';
    const ticked = (state: string) =>
      pdfOf([catalog(), pagesOf, page(`/Annots [<< ${box} /V /${state} /AS /${state} >>]`)]);
    const facts = async (state: string) => (await make(ticked(state))).file?.facts;
    expect(await facts('Ja')).toEqual({ pages: 1, leftOut: ['fields to fill in', 'values of fields'] });
    expect(await facts('Off')).toEqual({ pages: 1, leftOut: ['fields to fill in'] });
  });

  const whole = pdfOf([catalog(), pagesOf, page('/Contents 4 0 R'), drawing]);
  const encrypted = async () => {
    const document = await PDFDocument.create();
    document.addPage();
    document.encrypt({ userPassword: 'a', ownerPassword: 'b' });
    return Buffer.from(await document.save());
  };
  test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ['nothing', () => Buffer.alloc(0), /Only PDF, STL/],
    ['text', () => Buffer.from('Cut the plate'), /Only PDF/],
    ['a program', () => Buffer.from('MZ\x90\0\x03'), /Only PDF/],
    ['a web page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), /Only PDF/],
    ['an archive', () => Buffer.from('PK\x03\x04rest'), /cannot be unpacked/],
    ['a picture', () => phonePicture('png', 20, 20), /Only PDF/],
    ['a PDF far into another file', () => Buffer.concat([Buffer.alloc(5000), whole]), /Only PDF/],
    ['nothing but a header', () => Buffer.from('%PDF-1.7\n'), /damaged|no pages/],
    [
      'a header and noise',
      () =>
        Buffer.concat([
          Buffer.from('%PDF-1.7\n'),
          Buffer.from(Array.from({ length: 9999 }, (_, index) => (index * 7919) % 251)),
        ]),
      /damaged|no pages/,
    ],
    ['a document that needs a password', encrypted, /needs a password to open/],
    [
      'one that only says that it is encrypted',
      () => pdfOf([catalog(), pagesOf, page()], '/Encrypt << /Filter /Standard >>'),
      /password|damaged/,
    ],
    [
      '10,000 pages',
      () => pdfOf([catalog(), `<< /Type /Pages /Count 10000 /Kids [${'3 0 R '.repeat(10_000)}] >>`, page()]),
      /10000 pages. A PDF can have at most 200/,
    ],
    [
      '201 pages',
      () => pdfOf([catalog(), `<< /Type /Pages /Count 201 /Kids [${'3 0 R '.repeat(201)}] >>`, page()]),
      /at most 200/,
    ],
    ['no pages', () => pdfOf([catalog(), '<< /Type /Pages /Kids [] /Count 0 >>']), /damaged|no pages/],
    ['no catalog', () => pdfOf(['<< >>']), /damaged|no pages/],
    [
      'pages that contain themselves',
      () => pdfOf([catalog(), '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']),
      /damaged|no pages/,
    ],
    [
      'a page that is missing',
      () => pdfOf([catalog(), '<< /Type /Pages /Kids [9 0 R] /Count 1 >>']),
      /damaged|no pages/,
    ],
    [
      'a page of a kilometre',
      () => pdfOf([catalog(), pagesOf, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 3000000 3000000] >>']),
      /too large or too small/,
    ],
    [
      'a page as thin as a hair',
      () => pdfOf([catalog(), pagesOf, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 0.01 800] >>']),
      /too large or too small/,
    ],
    [
      'contents that unpack to 320 MB',
      () => pdfOf([catalog(), pagesOf, page('/Contents 4 0 R'), stream(bomb, '/Filter /FlateDecode')]),
      /too large when unpacked/,
    ],
    [
      'contents packed twice',
      () =>
        pdfOf([
          catalog(),
          pagesOf,
          page('/Contents 4 0 R'),
          stream(deflateSync(bomb), '/Filter [/FlateDecode /FlateDecode]'),
        ]),
      /too large when unpacked/,
    ],
    [
      'objects that unpack to 320 MB',
      () =>
        pdfOf([catalog(), pagesOf, page(), stream(bomb, '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode')]),
      /too large when unpacked/,
    ],
    [
      'a font that unpacks to 320 MB',
      () => pdfOf([catalog(), pagesOf, page(), stream(bomb, '/Length1 9 /Filter /FlateDecode')]),
      /too large when unpacked/,
    ],
    [
      'contents in another file',
      () =>
        pdfOf([
          catalog(),
          pagesOf,
          page('/Contents 4 0 R'),
          stream(Buffer.from(''), '/F (../../etc/passwd)'),
        ]),
      /needs another file/,
    ],
    [
      'a picture on another server',
      () =>
        withImage(
          stream(Buffer.from(''), `${image('/DCTDecode')} /F << /FS /URL /F (https://evil.example) >>`),
        ),
      /needs another file/,
    ],
    [
      'a form from another file',
      () =>
        withImage(
          stream(Buffer.from(''), '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Ref << /F (other.pdf) >>'),
        ),
      /needs another file/,
    ],
    [
      'a picture that is no JPEG',
      () => withImage(stream(Buffer.from('<script>'), image('/DCTDecode'))),
      /image .* is damaged/,
    ],
    [
      'a JPEG that is cut off',
      () => withImage(stream(Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff]), image('/DCTDecode'))),
      /image .* is damaged/,
    ],
    [
      'a JPEG 2000 that is cut off',
      () => withImage(stream(Buffer.from([0, 0, 0xff, 0xff, 0x6a, 0x50, 0x20, 0x20]), image('/JPXDecode'))),
      /image .* is damaged/,
    ],
    [
      'a JPEG packed by arithmetic, which would be drawn black',
      () => withImage(stream(Buffer.from([0xff, 0xd8, 0xff, 0xc9, 0, 4, 0, 0]), image('/DCTDecode'))),
      /packed in a way that cannot be drawn/,
    ],
    [
      'a scan packed as faxes are, which would be drawn white',
      () => withImage(stream(region(1), image('/JBIG2Decode'))),
      /packed in a way that cannot be drawn/,
    ],
    [
      'a scan that is cut off',
      () => withImage(stream(region(0).subarray(0, -1), image('/JBIG2Decode'))),
      /image .* is damaged/,
    ],
    [
      'a font by the numbers of its glyphs alone',
      () =>
        pdfOf([
          catalog(),
          pagesOf,
          page('/Contents 4 0 R /Resources << /Font << /F 5 0 R >> >>'),
          stream('BT /F 20 Tf <0024> Tj ET', ''),
          '<< /Type /Font /Subtype /Type0 /BaseFont /ArialMT /Encoding /Identity-H /DescendantFonts [6 0 R] >>',
          '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ArialMT /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>',
        ]),
      /needs the font ArialMT/,
    ],
    [
      'a picture packed in a way that hides what it is',
      () => withImage(stream(Buffer.from('00'), image('[/ASCIIHexDecode /CCITTFaxDecode /DCTDecode]'))),
      /unusual way/,
    ],
    [
      'a form that a program makes (XFA)',
      () =>
        pdfOf([
          catalog('/AcroForm << /XFA 4 0 R /Fields [] >>'),
          pagesOf,
          page(),
          stream(Buffer.from('<x/>'), ''),
        ]),
      /print it to a new PDF/,
    ],
    [
      'a portfolio',
      () => pdfOf([catalog('/Collection << /D (evil) >>'), pagesOf, page()]),
      /portfolio of other files/,
    ],
    [
      'marks for blacking out that are not applied',
      () => pdfOf([catalog(), pagesOf, page('/Annots [<< /Subtype /Redact /Rect [0 0 9 9] >>]')]),
      /Apply the redactions/,
    ],
  ])('%s is refused with the reason', async (_name, content, reason) => {
    await expect(make(await content())).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(reason),
    });
  });

  test.each<[string, () => Buffer]>([
    ['cut off in its middle', () => whole.subarray(0, whole.length - 60)],
    [
      'with a table of contents that is wrong',
      () => Buffer.concat([whole, Buffer.from('startxref\n99999999\n%%EOF')]),
    ],
    [
      'with a length that is wrong',
      () => Buffer.from(whole.toString('latin1').replace('/Length 18', '/Length 99999'), 'latin1'),
    ],
    [
      'with contents that draw for ever',
      () =>
        pdfOf([catalog(), pagesOf, page('/Contents 4 0 R'), stream(Buffer.from('q '.repeat(200_000)), '')]),
    ],
    [
      'with a form that draws itself',
      () =>
        pdfOf([
          catalog(),
          pagesOf,
          page('/Contents 5 0 R /Resources << /XObject << /X 4 0 R >> >>'),
          stream(
            Buffer.from('/X Do'),
            '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 4 0 R >> >>',
          ),
          stream(Buffer.from('/X Do'), ''),
        ]),
    ],
    [
      'with a million operators in a list',
      () =>
        pdfOf([
          catalog(),
          pagesOf,
          page('/Contents 4 0 R'),
          stream(`BT [${'(a) 0 Tc '.repeat(1_000_000)}] TJ ET`, ''),
        ]),
    ],
    [
      'with forms that draw one another, twenty thousand deep',
      () =>
        pdfOf([
          catalog(),
          pagesOf,
          page('/Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >>'),
          stream('/X Do', ''),
          ...Array.from({ length: 20_000 }, (_, index) =>
            stream(
              '/X Do',
              `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${index + 6} 0 R >> >>`,
            ),
          ),
        ]),
    ],
    [
      'with a font that is none',
      () =>
        pdfOf([
          catalog(),
          pagesOf,
          page(
            '/Contents 5 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /TrueType /BaseFont /X /FontDescriptor << /Type /FontDescriptor /FontFile2 4 0 R >> >> >> >>',
          ),
          stream(Buffer.alloc(4000, 7), ''),
          stream(Buffer.from('BT /F1 9 Tf (x) Tj ET'), ''),
        ]),
    ],
    [
      'with characters that reverse text',
      () =>
        pdfOf([
          catalog(),
          pagesOf,
          page(
            '/Contents 4 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>',
          ),
          stream(Buffer.from('BT /F1 9 Tf 20 20 Td <00010203FEFF202E> Tj ET'), ''),
        ]),
    ],
    [
      'with a page without a size',
      () => pdfOf([catalog(), pagesOf, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 0 0] >>']),
    ],
    [
      'with arrays ten thousand deep',
      () => pdfOf([catalog(), pagesOf, page(`/Contents ${'['.repeat(10_000)}${']'.repeat(10_000)}`)]),
    ],
    ['turned by an angle that is none', () => pdfOf([catalog(), pagesOf, page('/Rotate 17')])],
    ['with a unit of a thousand kilometres', () => pdfOf([catalog(), pagesOf, page('/UserUnit 1e12')])],
  ])('%s is refused or made safe', async (_name, content) => {
    const result = await make(content()).catch((error: unknown) => error);
    if (result instanceof Error) expect(result).toMatchObject({ status: 422 });
    else {
      const { contents, file } = result as Awaited<ReturnType<typeof make>>;
      const read = await PDFDocument.load(contents[0] ?? Buffer.alloc(0));
      expect(read.getPageCount()).toBe(contents.length - 1);
      expect(file?.pageTexts.join('')).not.toMatch(/[\p{Cf}\0]/u);
    }
  });

  test('the worker that refused all of these reads the next file', async () => {
    expect((await make(whole)).file?.facts).toEqual({ pages: 1 });
  });
});
