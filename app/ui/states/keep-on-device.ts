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
