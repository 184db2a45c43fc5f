import { useEffectEvent, useLayoutEffect, useState } from 'react';
import { useSession } from '#app/session.ts';
import { keepOnDevice } from '#app/ui/states/keep-on-device.ts';

interface StoredDraft {
  /** Null for a visitor's draft, which is offered to the next member who signs in with this browser. */
  by: string | null;
  fields: Record<string, string>;
}

const keyFor = (name: string) => `draft:${name}`;

function read(name: string): StoredDraft | null {
  try {
    const stored: StoredDraft | null = JSON.parse(localStorage.getItem(keyFor(name)) ?? 'null');
    return stored && typeof stored.fields === 'object' ? stored : null;
  } catch {
    return null;
  }
}

/**
 * A draft of a form, kept on this device until it has been sent: through a closed tab, a lost session and
 * signing in. One member's draft is not shown to another.
 *
 * @returns the fields, a function that changes some of them, and one that deletes the draft
 */
export function useLocalDraft<Fields extends Record<string, string>>(name: string, empty: Fields) {
  const session = useSession();
  const sessionLoaded = session !== undefined;
  const memberId = session?.member?.id ?? null;
  // A session that ends during typing leaves the draft to the member who typed it.
  const [typedBy, setTypedBy] = useState<string | null>(null);
  const by = memberId ?? typedBy;
  if (memberId && typedBy !== memberId) setTypedBy(memberId);
  const [fields, setFields] = useState(empty);

  const untouched = (now: Fields) => Object.entries(now).every(([field, text]) => text === empty[field]);
  const offer = useEffectEvent((reader: string | null) => {
    const stored = read(name);
    if (!stored || (stored.by !== null && stored.by !== reader)) return;
    // Text typed since hydration is newer.
    setFields((now) => (untouched(now) ? { ...now, ...stored.fields } : now));
  });
  // Before input typed in the meantime is handled.
  useLayoutEffect(() => {
    if (sessionLoaded) offer(memberId);
  }, [sessionLoaded, memberId]);

  const change = (part: Partial<Fields>) => {
    const next = { ...fields, ...part };
    setFields(next);
    // Without room the text stays on the page.
    keepOnDevice(keyFor(name), untouched(next) ? null : JSON.stringify({ by, fields: next }));
  };
  const clearDraft = () => {
    keepOnDevice(keyFor(name), null);
    setFields(empty);
  };
  return { fields, change, clearDraft };
}
