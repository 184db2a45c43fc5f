import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Client } from '#app/supabase.ts';
import type { Removal, ReportedContent } from './reported.ts';

/** What a review is given. */
export interface ReviewProps {
  id: string;
  /** ISO time; of what was sent again the last. */
  submittedAt: string;
  /** Whether it is the moderator's own work, on which another one decides. */
  isOwn: boolean;
  viewer: { id: string; isAdmin: boolean };
}

/** What waits for a moderator, in the review queue and in a section of the dashboard. */
interface Waiting {
  /** Its name in `review_queue` and for claims. */
  kind: string;
  /** What one is called. */
  name: string;
  icon: LucideIcon;
  /** Its section: the name in addresses, and the label. */
  section: [value: string, label: string];
  /** Whether the section is there while nothing waits: most sites have no use for some. */
  isOffered?: () => boolean;
  /** "3 trial reports". */
  count: (count: number) => string;
  /** In the middle of a sentence: "the oldest trial report". */
  oldest: string;
  failed: string;
  empty: string;
  /**
   * How a moderator reads and decides on one. Only that of a report is loaded by the queue itself, since a report is read by the kind of
   * what it is about.
   */
  review?: () => Promise<ComponentType<ReviewProps>>;
}

/** What members can report. */
interface Reported {
  /** Its name in `content_reports.content_type`. */
  kind: string;
  /** What one is called by moderators and reporters. */
  name: string;
  /**
   * Reads what a report is about, as far as a moderator may see it without an extra, recorded request; null when it was deleted. Left
   * out where that request is needed.
   */
  read?: (db: Client, id: string) => Promise<ReportedContent | null>;
  /** What moderators can do about it besides; left out where they cannot delete it. */
  removal?: Removal;
}

/** What a noun is for moderators. `app/kinds.ts` lists those of all nouns. */
export interface Kind {
  waiting?: Waiting;
  reported?: Reported;
  /** The labels of its acts in the audit log, by their names in `private.audited_acts`. */
  acts?: Record<string, string>;
  /** What the audit log calls what was acted on, by its name there, and where it stands; for a name that is no word, or that has a page. */
  target?: { type: string; name?: string; path?: string };
}
