/**
 * Keeps a text on this device.
 *
 * @param text null removes what is kept
 * @returns false where the browser has no room or forbids it
 */
export function keepOnDevice(key: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    return true;
  } catch (error) {
    console.warn('not kept on this device:', error);
    return false;
  }
}

/**
 * What is kept on this device under a key.
 *
 * @param check throws at what an earlier version of the site kept in another form
 * @returns null where there is nothing that can be read
 */
export function keptOnDevice<Kept>(key: string, check: (kept: unknown) => Kept): Kept | null {
  try {
    const text = localStorage.getItem(key);
    return text === null ? null : check(JSON.parse(text));
  } catch {
    return null;
  }
}
