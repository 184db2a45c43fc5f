import { useEffectEvent, useLayoutEffect, useState } from 'react';
import { useSession } from '#app/session.ts';
import { keepOnDevice, keptOnDevice } from '#app/ui/states/keep-on-device.ts';

/** What a form holds of which a draft is kept. */
export type TypedFields = Record<string, string | boolean>;

interface StoredDraft<Fields> {
  /** Null for a visitor's draft, which is offered to the next member who signs in with this browser. */
  by: string | null;
  fields: Partial<Fields>;
}

const keyFor = (name: string) => `draft:${name}`;

/** A draft as it was kept, with those fields alone that the form still has. */
function draftOf<Fields extends TypedFields>(kept: unknown, empty: Fields): StoredDraft<Fields> {
  const { by, fields } = kept as StoredDraft<Fields>;
  const known = Object.entries(fields).filter(([field, value]) => typeof value === typeof empty[field]);
  return { by, fields: Object.fromEntries(known) as Partial<Fields> };
}

/**
 * A draft of a form, kept on this device until it has been sent: through a closed tab, a lost session and
 * signing in. One member's draft is not shown to another.
 *
 * @param name undefined for a form of which none is kept
 * @returns the fields, a function that changes some of them, and one that deletes the draft
 */
export function useLocalDraft<Fields extends TypedFields>(name: string | undefined, empty: Fields) {
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
    const stored = name ? keptOnDevice(keyFor(name), (kept) => draftOf(kept, empty)) : null;
    if (!stored || (stored.by !== null && stored.by !== reader)) return;
    // Text typed since hydration is newer.
    setFields((now) => (untouched(now) ? { ...now, ...stored.fields } : now));
  });
  // Before input typed in the meantime is handled.
  useLayoutEffect(() => {
    if (sessionLoaded) offer(memberId);
  }, [sessionLoaded, memberId]);

  // Without room the text stays on the page.
  const keep = (next: Fields) =>
    name && keepOnDevice(keyFor(name), untouched(next) ? null : JSON.stringify({ by, fields: next }));
  const change = (part: Partial<Fields>) => {
    const next = { ...fields, ...part };
    setFields(next);
    keep(next);
  };
  const clearDraft = () => {
    setFields(empty);
    keep(empty);
  };
  return { fields, change, clearDraft };
}
