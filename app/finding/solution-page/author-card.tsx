import { useState } from 'react';
import { AuthorName } from '#app/frame/members/author-name.tsx';
import { badgeSign } from '#app/frame/members/badge-signs.ts';
import { MemberAvatar } from '#app/frame/members/member-avatar.tsx';
import { authorName, professionOf } from '#app/frame/members/names.ts';
import { RegistrationBadge } from '#app/frame/members/registration-badge.tsx';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';
import { latestBadges, type Solution } from '#app/solution/solutions/data.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { classes } from '#app/ui/texts/classes.ts';

const MessageDialog = lazyDialog(() => import('#app/frame/members/message-dialog.tsx'), 'MessageDialog');

/** Who shared the solution, with their checked registration and badges, and a way to write to them. */
export function AuthorCard({ solution }: { solution: Solution }) {
  const signInFirst = useRequireSignIn();
  const member = useMember();
  const [writing, setWriting] = useState(false);
  const { author, user_id: authorId } = solution;
  const name = authorName(authorId, author, 'Anonymous');
  const badges = latestBadges(author?.earned ?? []);

  const open = () => {
    if (member) return setWriting(true);
    signInFirst('Please sign in to message the author');
  };

  return (
    <section aria-label="Author" className="rounded-md border bg-surface px-5 py-5 md:px-6">
      <div className="flex items-center gap-4">
        <MemberAvatar name={name} member={author} size={56} />
        <div className="min-w-0">
          <p>
            <AuthorName author={author} name={name} className="text-lg" />
          </p>
          {authorId && (
            <p dir="auto" className="text-left text-ink-2">
              {professionOf(author)}
            </p>
          )}
        </div>
      </div>
      <RegistrationBadge member={author} explained className="mt-4" />
      {badges.length > 0 && (
        <ul className="mt-4 flex flex-wrap gap-2">
          {badges.map((badge) => (
            <li key={badge.name}>
              <Badge tone="warm">
                <span className={classes('icon', badgeSign(badge.icon_url))} />
                {badge.name}
              </Badge>
            </li>
          ))}
        </ul>
      )}
      {authorId && authorId !== member?.id && (
        <Button className="mt-4 w-full print:hidden" onClick={open}>
          <span className="icon icon-mail" />
          Message Author
        </Button>
      )}
      {writing && authorId && member && (
        <MessageDialog
          recipient={{ id: authorId, name }}
          senderId={member.id}
          solution={{ id: solution.id, title: solution.title }}
          onClose={() => setWriting(false)}
        />
      )}
    </section>
  );
}
