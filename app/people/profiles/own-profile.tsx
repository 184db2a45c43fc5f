import { ArrowRight, MapPin, Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ShownRegistration } from '#app/frame/members/names.ts';
import { RegistrationBadge } from '#app/frame/members/registration-badge.tsx';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { knownText } from '#app/ui/languages/known-text.ts';
import { Avatar } from '#app/ui/surfaces/avatar.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { OrcidId } from './orcid-id.tsx';

interface OwnProfileProps {
  profile:
    | (ShownRegistration & {
        username: string | null;
        full_name: string | null;
        profession: string | null;
        workplace: string | null;
        location: string | null;
        bio: string | null;
        bio_language: string | null;
        interests: string | null;
        avatar_url: string | null;
        orcid: string | null;
      })
    | null;
  email: string | undefined;
  onEdit: () => void;
}

/** Who a member is, as colleagues see them, and what only they see. */
export function OwnProfile({ profile, email, onEdit }: OwnProfileProps) {
  const fileUrl = useFileUrl();
  const { username, full_name, profession, workplace, location, bio, avatar_url } = profile ?? {};
  const name = full_name ?? username ?? 'Your name';
  const interests = profile?.interests ? profile.interests.split(', ') : [];
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <Avatar name={name} src={avatar_url ? fileUrl(avatar_url) : null} size={96} />
        <div className="min-w-0 flex-1 basis-60">
          <p dir="auto" className="text-left text-xl font-bold wrap-anywhere">
            {name}
          </p>
          <p dir="auto" className="text-left text-ink-2 wrap-anywhere">
            {[profession || 'Professional', workplace].filter(Boolean).join(', ')}
          </p>
          {username && <p className="text-sm text-ink-3 wrap-anywhere">@{username}</p>}
          <RegistrationBadge member={profile} explained className="mt-2" />
          <OrcidId orcid={profile?.orcid} className="mt-2" />
        </div>
      </div>
      <div className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-3">
        <Button onClick={onEdit}>
          <Pencil className="size-5" strokeWidth={1.75} aria-hidden />
          Edit profile
        </Button>
        {username && (
          <Link to={`/members/${username}`} className="link reach inline-flex items-center gap-2">
            View public page
            <ArrowRight className="size-4" strokeWidth={2} aria-hidden />
          </Link>
        )}
      </div>
      {bio && (
        <p
          {...asWritten(bio, profile?.bio_language)}
          className="mt-7 max-w-[66ch] text-prose whitespace-pre-line wrap-anywhere"
        >
          {bio}
        </p>
      )}
      <dl className="mt-6 flex flex-col gap-4">
        {location && (
          <Line term="Location">
            <span className="inline-flex items-center gap-2 wrap-anywhere">
              <MapPin className="size-4 shrink-0 text-ink-3" strokeWidth={2} aria-hidden />
              <bdi dir="auto">{location}</bdi>
            </span>
          </Line>
        )}
        {email && (
          <Line term="Email, never shown to others">
            <span className="wrap-anywhere">{email}</span>
          </Line>
        )}
        {interests.length > 0 && (
          <Line term="Areas of interest">
            <span className="mt-1 flex flex-wrap gap-2">
              {interests.map((interest) => (
                <Badge key={interest}>{knownText(interest)}</Badge>
              ))}
            </span>
          </Line>
        )}
      </dl>
    </div>
  );
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-3">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
