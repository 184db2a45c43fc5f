/** A document of these objects, the first of which is its catalog. */
export function pdfOf(objects: (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  for (const [index, object] of objects.entries())
    parts.push(
      Buffer.from(`${index + 1} 0 obj\n`),
      typeof object === 'string' ? Buffer.from(object, 'latin1') : object,
      Buffer.from('\nendobj\n'),
    );
  parts.push(Buffer.from(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\n%%EOF\n`));
  return Buffer.concat(parts);
}
export const catalog = (extra = '') => `<< /Type /Catalog /Pages 2 0 R ${extra} >>`;
export const pagesOf = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
export const page = (extra = '') => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] ${extra} >>`;
export const stream = (content: Buffer | string, extra: string) => {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${extra} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
};
