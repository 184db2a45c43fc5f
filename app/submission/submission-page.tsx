import { useQuery } from '@tanstack/react-query';
import { AppWindow, Clock } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { useSession } from '#app/session.ts';
import { pageTitle } from '#app/site.ts';
import { type Solution, solutionQuery } from '#app/solutions/data.ts';
import { emptySolution, solutionSchema } from '#app/solutions/form-schema.ts';
import { solutionSections } from '#app/solutions/options.ts';
import { browserClient } from '#app/supabase.ts';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useTabLock } from '#app/ui/use-tab-lock.ts';
import { releaseUploadQueues } from './data.ts';
import {
  blankDraft,
  type Draft,
  type DraftTarget,
  draftKey,
  type KeptFiles,
  loadDraftWithFiles,
} from './draft.ts';
import { SubmissionForm } from './submission-form.tsx';

const NO_FILES: KeptFiles = new Map();

const title = 'Share Your Prosthetic Solution';

export const meta = () => [{ title: pageTitle(title) }, { name: 'robots', content: 'noindex' }];

export default function SubmissionPage() {
  const member = useRequiredMember(() =>
    toast({ tone: 'error', title: 'Authentication Required', text: 'Please log in to submit a solution' }),
  );
  const [params] = useSearchParams();
  const solutionId = params.get('solution');
  const session = useSession();

  return (
    <div className="page pt-8 pb-16 md:pt-11">
      <h1 className="text-2xl md:text-3xl">{title}</h1>
      <p className="mt-2 max-w-[66ch] text-ink-2">
        {session && !member
          ? 'Authentication Required'
          : 'Moderators review every submission before it becomes public. Your draft is saved automatically and available on all your devices.'}
      </p>
      {member ? (
        <InOneTab key={`${member.id} ${solutionId}`} target={{ userId: member.id, solutionId }} />
      ) : (
        <FormSkeleton />
      )}
    </div>
  );
}

function InOneTab({ target }: { target: DraftTarget }) {
  const { hasLock, takeOver } = useTabLock(draftKey(target));
  const isElsewhere = hasLock === false;
  useEffect(() => {
    if (isElsewhere) releaseUploadQueues();
  }, [isElsewhere]);
  if (hasLock === undefined) return <FormSkeleton />;
  if (!hasLock) {
    return (
      <Banner tone="accent" icon={AppWindow} title="This draft is open in another tab." className="mt-8">
        Your changes there are saved.{' '}
        <button type="button" className="reach underline underline-offset-4" onClick={takeOver}>
          Continue here
        </button>
      </Banner>
    );
  }
  return target.solutionId ? (
    <Edit target={target} solutionId={target.solutionId} />
  ) : (
    <NewSubmission target={target} />
  );
}

function NewSubmission({ target }: { target: DraftTarget }) {
  const [base] = useState(blankDraft);
  return <LoadedSubmission target={target} base={base} />;
}

/** The form with the stored draft, if there is one. */
function LoadedSubmission({ target, base }: { target: DraftTarget; base: Draft }) {
  const { data, isPending } = useQuery({
    queryKey: ['solution-draft', target, base],
    queryFn: async () => loadDraftWithFiles(await browserClient(), target, base),
    networkMode: 'always',
    staleTime: 'static',
    gcTime: 0,
  });
  if (isPending) return <FormSkeleton />;
  return (
    <SubmissionForm target={target} base={base} draft={data?.draft ?? null} files={data?.files ?? NO_FILES} />
  );
}

/** The edit form of the member's own solution, which sends it to review again. */
function Edit({ target, solutionId }: { target: DraftTarget; solutionId: string }) {
  const { data, isPending, refetch } = useQuery({
    ...solutionQuery(browserClient, solutionId, target.userId),
    staleTime: 'static',
  });
  const base = useMemo(() => (data ? draftOf(data) : null), [data]);
  if (isPending) return <FormSkeleton />;
  if (!base || data?.user_id !== target.userId) {
    return (
      <div className="mt-8">
        <p className="text-ink-2">We couldn’t find this solution among yours.</p>
        <Button className="mt-4" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  return (
    <>
      {data.status === 'approved' && (
        <Banner tone="amber" icon={Clock} title="This solution is published." className="mt-6">
          When you submit changes, it goes back to review. Readers can’t see it again until a moderator
          approves it.
        </Banner>
      )}
      {data.status === 'rejected' && (
        <Banner tone="red" icon={Clock} title="A moderator asked for changes:" className="mt-6">
          {data.rejection_reason}
        </Banner>
      )}
      <LoadedSubmission target={target} base={base} />
    </>
  );
}

function draftOf(solution: Solution): Draft {
  // The stored values are from the lists the form offers; parsing only makes that known to the compiler.
  const { ageGroup, materials } = solutionSchema.shape;
  const thumbnail = solution.media.find(({ stored }) => stored.compressed_url === solution.thumbnail_url);
  return {
    id: solution.id,
    form: {
      ...emptySolution,
      title: solution.title,
      description: solution.description,
      functionInMind: solution.occupation,
      amputationLevel: solution.amputation_level,
      prosthesisType: solution.prosthesis_type,
      costRange: solution.cost_range,
      ageGroup: ageGroup.parse(solution.age_group.split(', ')),
      materials: materials.parse(solution.materials),
      customTags: solution.custom_tags,
      ...Object.fromEntries(solutionSections.map(({ column, field }) => [field, solution[column] ?? ''])),
    },
    uploads: {
      thumbnailId: thumbnail?.id ?? null,
      items: solution.media.map((media, index) => ({
        id: media.id,
        name: `${media.media_type === 'video' ? 'Video' : 'Image'} ${index + 1}`,
        size: 0,
        kind: media.media_type === 'video' ? 'video' : 'image',
        state: 'ready',
        sent: 0,
        problem: null,
        result: {
          originalUrl: media.stored.media_url,
          compressedUrl: media.stored.compressed_url,
          thumbnailUrl: media.stored.thumbnail_url,
          mediaType: media.media_type === 'video' ? 'video' : 'image',
        },
        description: media.description ?? '',
        preview: media.thumbnail_url,
      })),
    },
  };
}

function FormSkeleton() {
  return (
    <div className="mt-8 flex max-w-[640px] flex-col gap-7 lg:ml-[272px]">
      <Skeleton className="h-7 w-40" />
      <Skeleton className="h-20" />
      <Skeleton className="h-44" />
      <Skeleton className="h-20" />
    </div>
  );
}
