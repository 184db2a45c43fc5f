/** Above the 2000 pixels of the largest size that is shown, so that nothing visible is lost. */
const MAX_EDGE = 2560;

/** The dimensions of a picture scaled down until its longest edge fits; never larger than the original. */
export function fitWithin(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, MAX_EDGE / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** A canvas with the picture upright, at its upload size. */
export async function drawToCanvas(file: Blob): Promise<HTMLCanvasElement> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const canvas = document.createElement('canvas');
  Object.assign(canvas, fitWithin(picture.width, picture.height));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('Your browser can’t edit images.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas;
}

/** The canvas as a file of the same name and type. */
export function asFile(canvas: HTMLCanvasElement, { name, type }: File): Promise<File> {
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) =>
        blob
          ? resolve(new File([blob], name, { type: blob.type }))
          : reject(new Error(`${name} couldn’t be opened.`)),
      type,
      0.9,
    ),
  );
}

/** The picture at the size that will be shown, or the file itself where that would not save at least a fifth. */
export async function downscaleImage(file: File): Promise<File> {
  if (!file.type.startsWith('image/') || file.size < 1_000_000) return file;
  try {
    const smaller = await asFile(await drawToCanvas(file), file);
    return smaller.size < file.size * 0.8 ? smaller : file;
  } catch {
    // The server may read a format this browser cannot; if not, its response says why.
    return file;
  }
}
