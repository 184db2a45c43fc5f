import { useMember, useViewer } from '#app/session.ts';
import { isBuildFile, type Uploads } from '#app/sharing/media-upload/upload-queue.ts';
import { SolutionCard } from '#app/solution/cards/solution-card.tsx';
import { toCard } from '#app/solution/solutions/data.ts';
import { type SolutionForm, solutionTexts } from '#app/solution/solutions/form-schema.ts';
import { chosenLanguage } from '#app/ui/languages/language-choice.tsx';

/** The card as Browse will show it, while it is being written. */
export function SubmissionPreview({ values, uploads }: { values: SolutionForm; uploads: Uploads }) {
  const member = useMember();
  const profile = useViewer()?.profile ?? null;
  const thumbnail =
    uploads.items.find(({ id }) => id === uploads.thumbnailId) ??
    uploads.items.find(({ preview }) => preview);
  return (
    <aside aria-label="Preview" className="hidden xl:block">
      <div className="sticky top-(--below-header)">
        <p className="mb-2 text-sm font-medium text-ink-2">Preview in Browse</p>
        <div className="rounded-md border bg-surface p-4">
          <SolutionCard
            solution={toCard({
              id: 'preview',
              language: chosenLanguage(values.language, solutionTexts(values)),
              title: values.title || 'Title',
              description: values.description || 'Description',
              thumbnail_url: thumbnail?.preview ?? null,
              occupation: values.functionInMind || 'Function',
              amputation_level: values.amputationLevel || 'Amputation level',
              materials: values.materials,
              likes_count: 0,
              comments_count: 0,
              created_at: new Date().toISOString(),
              user_id: member?.id ?? null,
              author: profile,
              badges: [],
              video_seconds: null,
              safety_kind: null,
              audience: values.audience,
              tried_count: 0,
              has_files: uploads.items.some(isBuildFile),
              has_outcomes: values.outcomes.some(({ measure }) => measure !== ''),
            })}
          />
        </div>
      </div>
    </aside>
  );
}
