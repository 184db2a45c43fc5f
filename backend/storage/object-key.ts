import { invalidKey } from './errors.ts';

export interface ObjectKey {
  bucket: string;
  name: string;
}

// The characters that the official service allows, and in addition letters of any script.
const ALLOWED = /^[\p{L}\p{M}\p{N}_/!.*'() &$@=;:+,?~^|[\]{}<>"-]+$/u;
const MAX_KEY_LENGTH = 1024;

/**
 * The object's name as it stands in a request's path behind `prefix`, decoded.
 *
 * @param path still percent-encoded, so that an encoded slash cannot pass for a separator
 * @throws StorageError for a name that could lead out of its folder or that the protocol does not allow
 */
export function objectNameFromPath(path: string, prefix: string): string {
  const start = path.indexOf(prefix);
  // Dots in the path were resolved, and the remaining path addresses something else.
  if (start < 0) throw invalidKey(path);
  const encoded = path.slice(start + prefix.length);
  let name: string;
  try {
    name = encoded
      .split('/')
      .map((segment) => {
        const decoded = decodeURIComponent(segment);
        if (decoded.includes('/')) throw new URIError('a slash in a name');
        return decoded;
      })
      .join('/');
  } catch {
    throw invalidKey(encoded);
  }
  return checkedObjectName(name);
}

/** @throws StorageError */
export function checkedObjectName(name: unknown): string {
  if (typeof name !== 'string' || name.length > MAX_KEY_LENGTH || !ALLOWED.test(name))
    throw invalidKey(String(name));
  if (name.split('/').some((segment) => segment === '' || segment === '.' || segment === '..'))
    throw invalidKey(name);
  return name;
}
