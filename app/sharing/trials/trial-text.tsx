import { useState } from 'react';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import { Thumbnail } from '#app/solution/media-viewer/thumbnail.tsx';
import { OutcomeReport } from '#app/solution/outcomes/solution-outcomes.tsx';
import { knownText, knownTexts } from '#app/ui/languages/known-text.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { lazyDialog } from '#app/ui/states/region.tsx';
import type { Trial } from './data.ts';

const Viewer = lazyDialog(() => import('#app/solution/media-viewer/lightbox.tsx'), 'SolutionLightbox');

/** What a report says, measures and shows; the same for readers and for its moderator. */
export function TrialText({ trial, title }: { trial: Trial; title: string }) {
  return (
    <>
      <p className="mt-2 text-ink-2">
        {[
          knownText(trial.amputation_level),
          knownText(trial.prosthesis_type),
          knownTexts(trial.age_group.split(', ')),
        ].join(' · ')}
      </p>
      {trial.changes && <Part name="What was changed" text={trial.changes} language={trial.language} />}
      {trial.experience && (
        <Part
          name={trial.result === 'did_not_work' ? 'Why it did not work' : 'What happened'}
          text={trial.experience}
          language={trial.language}
        />
      )}
      {trial.outcomes.map((outcome) => (
        <div key={outcome.id} className="mt-5">
          <OutcomeReport outcome={outcome} language={trial.language} headingLevel={4} />
        </div>
      ))}
      {trial.media.length > 0 && <TrialMedia media={trial.media} title={`Tried by others: ${title}`} />}
    </>
  );
}

function Part({ name, text, language }: { name: string; text: string; language: string }) {
  return (
    <div className="mt-3">
      <h4 className="font-bold">{name}</h4>
      <p {...textLanguage(language)} className="max-w-[66ch] text-prose whitespace-pre-line wrap-anywhere">
        {text}
      </p>
    </div>
  );
}

/** Small images, each of which opens in the viewer. */
function TrialMedia({ media, title }: { media: Trial['media']; title: string }) {
  const fileUrl = useFileUrl();
  const [open, setOpen] = useState<number>();
  return (
    <>
      <ul className="mt-4 flex flex-wrap gap-2">
        {media.map((item, index) => (
          <li key={item.id} className="w-28 md:w-36">
            <a
              href={fileUrl(item.media_url)}
              className="relative block rounded-md"
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                setOpen(index);
              }}
            >
              <Thumbnail item={item} title={title} index={index} total={media.length} />
            </a>
          </li>
        ))}
      </ul>
      {open !== undefined && (
        <Viewer media={media} title={title} start={open} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}
