import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import { ownProfileQuery } from '#app/account/own-profile/data.ts';
import { ProfileFormSkeleton } from '#app/account/own-profile/profile-form-skeleton.tsx';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { MyQuestions } from '#app/sharing/still-in-use/my-questions.tsx';
import { CLOSED, pageTitle, siteSettings } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { LeaveGuard } from '#app/ui/states/leave-guard.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { lazyPart, Region } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { useErrorToast } from '#app/ui/surfaces/toast.tsx';
import { Achievements, BadgeGuide, PointsGuide } from './achievements.tsx';
import { achievementsQuery } from './data.ts';
import { MySolutions } from './my-solutions.tsx';
import { MyTrials } from './my-trials.tsx';
import { OwnDrafts } from './own-drafts.tsx';
import { OwnProfile } from './own-profile.tsx';

const ProfileForm = lazyPart(
  () => import('#app/account/own-profile/profile-form.tsx'),
  'ProfileForm',
  <ProfileFormSkeleton />,
);

export const handle = CLOSED;

export const meta = () => [{ title: pageTitle('Profile') }, { name: 'robots', content: 'noindex' }];

export default function ProfilePage() {
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  const [editing, setEditing] = useState(false);
  const [isDirty, setIsDirty] = useState(false);
  // The pressed button leaves the page, so the focus goes to the title of what comes.
  const show = (form: boolean) => {
    flushSync(() => setEditing(form));
    heading.current?.focus();
    heading.current?.scrollIntoView({ block: 'nearest' });
    if (!form) setIsDirty(false);
  };
  const member = useRequiredMember();
  const profile = useQuery({ ...ownProfileQuery(browserClient, member?.id ?? ''), enabled: member != null });
  const earned = useQuery({
    ...achievementsQuery(browserClient, member?.id ?? ''),
    enabled: member != null,
  });
  useErrorToast(profile.isError, 'Failed to load profile');

  return (
    <div className="page pt-8 pb-16 md:pt-11">
      <h1 ref={heading} tabIndex={-1} className="text-2xl md:text-3xl">
        {editing ? 'Edit profile' : 'Profile'}
      </h1>
      <div className="mt-8 grid grid-cols-1 gap-x-16 gap-y-14 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div>
          <div className="max-w-[640px]">
            <Region>
              {member && profile.isSuccess && !editing ? (
                <OwnProfile profile={profile.data} email={member.email} onEdit={() => show(true)} />
              ) : member && profile.isSuccess ? (
                <ProfileForm
                  userId={member.id}
                  profile={profile.data}
                  email={member.email}
                  verb="Save Changes"
                  success="Profile updated successfully"
                  onDirtyChange={setIsDirty}
                  onSaved={() => show(false)}
                  onCancel={() => {
                    flushSync(() => setIsDirty(false));
                    void navigate('/');
                  }}
                />
              ) : profile.isError ? (
                <LoadFailed title="Failed to load profile" onRetry={() => void profile.refetch()} />
              ) : (
                <ProfileFormSkeleton />
              )}
            </Region>
          </div>
          <section aria-labelledby="drafts" className="mt-10 border-t pt-8">
            <h2 id="drafts" className="mb-4 scroll-mt-24 text-xl">
              Drafts
            </h2>
            <Region>{member && <OwnDrafts userId={member.id} />}</Region>
          </section>
          <section aria-labelledby="my-solutions" className="mt-10 border-t pt-8">
            <h2 id="my-solutions" className="mb-6 text-xl">
              My Solutions
            </h2>
            <Region>{member && <MySolutions userId={member.id} />}</Region>
          </section>
          <Region>{member && <MyTrials userId={member.id} />}</Region>
          <Region>{member && <MyQuestions userId={member.id} />}</Region>
        </div>
        <div className="flex flex-col gap-8">
          {siteSettings().show_points && (
            <>
              <Card title="Achievements">
                {earned.data ? (
                  <Achievements {...earned.data} />
                ) : earned.isError ? (
                  <LoadFailed title="Failed to load achievements" onRetry={() => void earned.refetch()} />
                ) : (
                  <div className="flex flex-col gap-4">
                    <Skeleton className="h-10 w-40" />
                    <Skeleton className="h-12" />
                    <Skeleton className="h-12" />
                    <Skeleton className="h-12" />
                    <Skeleton className="h-12" />
                  </div>
                )}
              </Card>
              <Card title="How to earn points">
                <PointsGuide />
                <BadgeGuide />
              </Card>
            </>
          )}
        </div>
      </div>
      <LeaveGuard isDirty={isDirty} />
    </div>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-md border bg-surface px-5 py-6 md:px-6">
      <h2 className="mb-4 text-lg font-bold">{title}</h2>
      <Region>{children}</Region>
    </section>
  );
}
