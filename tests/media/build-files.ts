import { PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib';
import { phonePicture, SECRET } from './files.ts';

/** As an office writes it: with author, script, attachment, link, note and a phone's picture, and `SECRET` in each. */
export async function officePdf(pages = 2): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.setAuthor(SECRET);
  document.setProducer(SECRET);
  document.addJavaScript('greet', `app.alert('${SECRET}')`);
  await document.attach(Buffer.from(SECRET), `${SECRET}.txt`, { description: SECRET });
  const { context } = document;
  document.catalog.set(
    PDFName.of('OpenAction'),
    context.obj({ Type: 'Action', S: 'JavaScript', JS: PDFString.of(SECRET) }),
  );
  document.catalog.set(
    PDFName.of('Metadata'),
    context.register(
      context.stream(`<x:xmpmeta>${SECRET}</x:xmpmeta>`, { Type: 'Metadata', Subtype: 'XML' }),
    ),
  );
  const picture = await document.embedJpg(await phonePicture('jpeg', 400, 300));
  for (let number = 1; number <= pages; number++) {
    const page = document.addPage([595, 842]);
    page.drawText(`Cutting plan, page ${number}`, { x: 60, y: 740, size: 24 });
    page.drawImage(picture, { x: 60, y: 300, width: 300, height: 400 });
    page.node.set(
      PDFName.of('Annots'),
      context.obj([
        {
          Type: 'Annot',
          Subtype: 'Link',
          Rect: [0, 0, 100, 100],
          A: { S: 'URI', URI: PDFString.of(`https://example.org/${SECRET}`) },
        },
        {
          Type: 'Annot',
          Subtype: 'Text',
          Rect: [0, 0, 9, 9],
          T: PDFString.of(SECRET),
          Contents: PDFString.of(SECRET),
        },
      ]),
    );
    page.node.set(PDFName.of('PieceInfo'), context.obj({ Office: { Private: PDFString.of(SECRET) } }));
  }
  return Buffer.from(await document.save({ useObjectStreams: false }));
}
