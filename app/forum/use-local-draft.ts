import { useEffectEvent, useLayoutEffect, useState } from 'react';
import { useSession } from '#app/session.ts';

interface StoredDraft {
  /** Null for what a visitor typed, which is offered to whoever signs in next in this browser. */
  by: string | null;
  fields: Record<string, string>;
}

const keyFor = (place: string) => `forum-draft:${place}`;

function read(place: string): StoredDraft | null {
  try {
    const kept: StoredDraft | null = JSON.parse(localStorage.getItem(keyFor(place)) ?? 'null');
    return kept && typeof kept.fields === 'object' ? kept : null;
  } catch {
    return null;
  }
}

/**
 * What is typed at a place of the forum, kept on this device until it has been sent: through a closed tab, a lost
 * session and signing in. What one member typed is not shown to another.
 *
 * @returns the fields, how to change some of them, and how to forget them
 */
export function useLocalDraft<Fields extends Record<string, string>>(place: string, empty: Fields) {
  const session = useSession();
  const known = session !== undefined;
  const memberId = session?.member?.id ?? null;
  // A session that ends while something is being typed leaves it to the member who typed it.
  const [typedBy, setTypedBy] = useState<string | null>(null);
  const by = memberId ?? typedBy;
  if (memberId && typedBy !== memberId) setTypedBy(memberId);
  const [fields, setFields] = useState(empty);

  const untouched = (now: Fields) => Object.entries(now).every(([name, text]) => text === empty[name]);
  const offer = useEffectEvent((reader: string | null) => {
    const kept = read(place);
    if (!kept || (kept.by !== null && kept.by !== reader)) return;
    // What was typed since the page came alive is newer.
    setFields((now) => (untouched(now) ? { ...now, ...kept.fields } : now));
  });
  // Before anything typed in the meantime is answered.
  useLayoutEffect(() => {
    if (known) offer(memberId);
  }, [known, memberId]);

  const change = (part: Partial<Fields>) => {
    const next = { ...fields, ...part };
    setFields(next);
    if (untouched(next)) localStorage.removeItem(keyFor(place));
    else localStorage.setItem(keyFor(place), JSON.stringify({ by, fields: next }));
  };
  const forget = () => {
    localStorage.removeItem(keyFor(place));
    setFields(empty);
  };
  return { fields, change, forget };
}
