import { Clock } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { MemberAvatar } from '#app/frame/members/member-avatar.tsx';
import { authorName, professionOf } from '#app/frame/members/names.ts';
import { RegistrationBadge } from '#app/frame/members/registration-badge.tsx';
import { FoundIdentifiers } from '#app/solution/review/review-panel.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';

type Author = Parameters<typeof professionOf>[0] &
  Parameters<typeof authorName>[1] &
  ComponentProps<typeof RegistrationBadge>['member'] & { avatar_url: string | null };

interface CaseHeadProps {
  title: ReactNode;
  /** Beside the state, what is particular about the case. */
  marks: ReactNode;
  authorId: string | null;
  author: Author | null;
  /** Stands before the day. */
  note?: string;
  submittedAt: string;
  /** Details in the text that could identify the patient. */
  identifiers: readonly string[] | undefined;
}

/** What waits, and who sent it when. */
export function CaseHead({ title, marks, authorId, author, note, submittedAt, identifiers }: CaseHeadProps) {
  const name = authorName(authorId, author);
  return (
    <>
      <FoundIdentifiers identifiers={identifiers} />
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone="amber">
          <Clock aria-hidden />
          Pending Review
        </Badge>
        {marks}
      </div>
      <h2 dir="auto" className="text-left mt-3 text-xl wrap-anywhere md:text-2xl">
        {title}
      </h2>
      <div className="mt-2 mb-5 flex items-center gap-2">
        <MemberAvatar name={name} member={author} size={32} />
        <p className="dotted min-w-0 text-ink-2 wrap-anywhere">
          <bdi dir="auto" className="font-bold text-ink">
            {name}
          </bdi>
          <bdi dir="auto">{professionOf(author)}</bdi>
          {note && <span>{note}</span>}
          <span>
            {formatDay(submittedAt)} <RegistrationBadge member={author} />
          </span>
        </p>
      </div>
    </>
  );
}
