import { useQuery } from '@tanstack/react-query';
import { Flag, Images, Mail, Pencil } from 'lucide-react';
import { useState } from 'react';
import { data, Link } from 'react-router';
import { NotFound } from '#app/frame/layout/not-found.tsx';
import { socialMeta } from '#app/frame/layout/social-meta.ts';
import { MemberAvatar } from '#app/frame/members/member-avatar.tsx';
import { authorName, professionOf } from '#app/frame/members/names.ts';
import { RegistrationBadge } from '#app/frame/members/registration-badge.tsx';
import { cacheContext, PageDataBoundary, pageData } from '#app/frame/page/page-data.tsx';
import { CardSaves, SavableCard } from '#app/people/collections/card-saves.tsx';
import { FollowButton } from '#app/people/follows/follow-button.tsx';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';
import { TrialList } from '#app/sharing/trials/trial-list.tsx';
import { pageTitle } from '#app/site.ts';
import { browserClient, serverClient } from '#app/supabase.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { lazyDialog, Region } from '#app/ui/states/region.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import type { Route } from './+types/member-page.ts';
import { Achievements } from './achievements.tsx';
import { achievementsQuery, memberQuery } from './data.ts';
import { OrcidId } from './orcid-id.tsx';

const MessageDialog = lazyDialog(() => import('#app/frame/members/message-dialog.tsx'), 'MessageDialog');
const ReportDialog = lazyDialog(() => import('#app/frame/members/report-dialog.tsx'), 'ReportDialog');

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const cache = context.get(cacheContext);
  const client = serverClient(context);
  const member = await cache.fetchQuery({ ...memberQuery(client, params.username), retry: false });
  if (member) await cache.fetchQuery({ ...achievementsQuery(client, member.id), retry: false });
  const page = {
    state: pageData(cache),
    name: member && authorName(member.id, member),
    origin: new URL(request.url).origin,
  };
  return data(page, { status: member ? 200 : 404 });
}

export const meta = ({ loaderData, params }: Route.MetaArgs) =>
  loaderData?.name
    ? [
        { title: pageTitle(loaderData.name) },
        ...socialMeta({
          origin: loaderData.origin,
          path: `/members/${params.username}`,
          title: loaderData.name,
          text: `Prosthetic solutions shared by ${loaderData.name}`,
          type: 'website',
        }),
      ]
    : [{ title: pageTitle('Member not found') }, { name: 'robots', content: 'noindex' }];

export default function MemberPage({ loaderData, params }: Route.ComponentProps) {
  return (
    <PageDataBoundary data={loaderData.state}>
      <Member username={params.username} />
    </PageDataBoundary>
  );
}

function Member({ username }: { username: string }) {
  const signInFirst = useRequireSignIn();
  const self = useMember();
  const member = useQuery(memberQuery(browserClient, username)).data;
  const earned = useQuery({
    ...achievementsQuery(browserClient, member?.id ?? ''),
    enabled: member != null,
  }).data;
  const [dialog, setDialog] = useState<'message' | 'report' | null>(null);
  if (!member) return <NotFound />;
  const name = authorName(member.id, member);
  const promptSignIn = (what: 'message' | 'report', text: string) => {
    if (self) return setDialog(what);
    signInFirst(text);
  };

  return (
    <div className="page pt-8 pb-16 md:pt-11">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-5">
        <MemberAvatar name={name} member={member} size={96} />
        <div className="min-w-0 flex-1 basis-60">
          <h1 dir="auto" className="text-left text-2xl wrap-anywhere md:text-3xl">
            {name}
          </h1>
          <p className="mt-1 text-ink-2">
            <bdi>{professionOf(member)}</bdi>
            {member.workplace && (
              <>
                , <bdi>{member.workplace}</bdi>
              </>
            )}
          </p>
          <p className="text-sm text-ink-3">@{member.username}</p>
          <RegistrationBadge member={member} explained className="mt-2" />
          <OrcidId orcid={member.orcid} className="mt-2" />
        </div>
        {self?.id === member.id ? (
          <Link to="/profile" className={buttonClass('default', undefined, 'print:hidden')}>
            <Pencil className="size-5" strokeWidth={1.75} aria-hidden />
            Edit profile
          </Link>
        ) : (
          <div className="flex flex-wrap gap-3 max-md:w-full max-md:gap-2 max-md:*:px-3 print:hidden">
            <Button
              variant="primary"
              onClick={() => promptSignIn('message', 'Please sign in to message this member')}
            >
              <Mail className="size-5" strokeWidth={1.75} aria-hidden />
              Message
            </Button>
            <FollowButton subject={{ member_id: member.id }} className={buttonClass()} followed="Following">
              Follow
            </FollowButton>
            <Button onClick={() => promptSignIn('report', 'Please sign in to report content')}>
              <Flag className="size-5" strokeWidth={1.75} aria-hidden />
              Report
            </Button>
          </div>
        )}
      </div>
      <div className="mt-10 grid gap-x-14 gap-y-12 lg:grid-cols-[minmax(0,1fr)_300px]">
        <section aria-labelledby="solutions">
          <h2 id="solutions" className="mb-6 text-xl">
            Solutions
          </h2>
          {member.solutions.length > 0 ? (
            <Region>
              {() => (
                <CardSaves solutions={member.solutions}>
                  <ul className="grid gap-x-8 gap-y-10 sm:grid-cols-2">
                    {member.solutions.map((solution) => (
                      <li key={solution.id} className="grid">
                        <SavableCard solution={solution} />
                      </li>
                    ))}
                  </ul>
                </CardSaves>
              )}
            </Region>
          ) : (
            <EmptyState icon={Images}>{name} has not shared a solution yet.</EmptyState>
          )}
          {member.trials.length > 0 && (
            <>
              <h2 className="mt-12 mb-6 text-xl">Trials</h2>
              <TrialList trials={member.trials} />
            </>
          )}
        </section>
        {earned && (earned.points > 0 || earned.badges.length > 0) && (
          <section aria-labelledby="achievements">
            <h2 id="achievements" className="mb-6 text-xl">
              Achievements
            </h2>
            <Region>
              <Achievements {...earned} />
            </Region>
          </section>
        )}
      </div>

      {self && dialog === 'message' && (
        <MessageDialog
          recipient={{ id: member.id, name }}
          senderId={self.id}
          onClose={() => setDialog(null)}
        />
      )}
      {self && dialog === 'report' && (
        <ReportDialog
          reporterId={self.id}
          kind="profile"
          title="Report profile"
          contentId={member.id}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}
