import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { FormProvider } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { DraftRestored } from '#app/frame/act/draft-restored.tsx';
import { useKeptForm } from '#app/frame/act/use-kept-form.ts';
import { PatientIdentifierWarning } from '#app/frame/patient-identifiers/patient-identifier-warning.tsx';
import { MediaSection } from '#app/sharing/media-upload/media-section.tsx';
import { uploadsOf } from '#app/sharing/media-upload/stored-uploads.ts';
import { UploadQueue } from '#app/sharing/media-upload/upload-queue.ts';
import { sendFiles, sendUpload } from '#app/sharing/submission/data.ts';
import { Tiles } from '#app/sharing/submission/main-sections.tsx';
import type { OwnTrial } from '#app/sharing/trials/data.ts';
import { results } from '#app/sharing/trials/results.ts';
import { OutcomeFields } from '#app/solution/outcomes/outcome-fields.tsx';
import { ConsentField } from '#app/solution/review/consent-field.tsx';
import { HarmQuestion } from '#app/solution/safety-notices/harm-question.tsx';
import type { Solution } from '#app/solution/solutions/data.ts';
import { MAX_SECTION_LENGTH } from '#app/solution/solutions/form-schema.ts';
import { ageGroups, amputationLevels, limbOf, prosthesisTypes } from '#app/solution/solutions/value-lists.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Radio } from '#app/ui/controls/checkbox-radio.tsx';
import { ErrorSummary } from '#app/ui/controls/error-summary.tsx';
import { characterCount, Field, FieldGroup, keepFieldOnPress } from '#app/ui/controls/field.tsx';
import { Select, Textarea } from '#app/ui/controls/input.tsx';
import { LanguageField } from '#app/ui/languages/language-field.tsx';
import { useLeaveWarning } from '#app/ui/states/leave-guard.tsx';
import { lazyDialog, Region } from '#app/ui/states/region.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { baseForm, keepDraft, readDraft } from './draft.ts';
import { type TrialForm as Fields, trialSchema } from './form-schema.ts';
import { submitTrial, trialTexts } from './submit.ts';

const ReportCaseDialog = lazyDialog(
  () => import('#app/solution/safety-notices/report-case-dialog.tsx'),
  'ReportCaseDialog',
);

interface TrialFormProps {
  solution: Solution;
  /** The member's report that is changed; undefined for a new one. */
  edited: OwnTrial | undefined;
  /** The versions on which the member has reported. */
  taken: number[];
  userId: string;
}

const PURPOSE = {
  maxFiles: 10,
  tooMany: 'A report can have at most 10 images and videos.',
  hasThumbnail: false,
  hasBuildFiles: false,
};

/** The form in which a member reports on a solution they tried, or changes what they reported. */
export function TrialForm({ solution, edited, taken, userId }: TrialFormProps) {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [base] = useState(() => baseForm(solution, edited));
  const [stored] = useState(() => readDraft(solution.id, userId, edited));
  const [submissionId] = useState(() => crypto.randomUUID());
  const [isReporting, setIsReporting] = useState(false);
  // Made once: the report may be read again while its files are on their way.
  const [queue] = useState(() => {
    const opened = new UploadQueue(sendUpload(userId), undefined, PURPOSE);
    opened.restore({ items: uploadsOf(edited?.media ?? []), thumbnailId: null });
    return opened;
  });
  const uploads = useSyncExternalStore(queue.subscribe, queue.read, queue.read);
  useLeaveWarning(queue.wouldLoseFiles);
  const hasMedia = uploads.items.some(({ state }) => state !== 'refused');
  const schema = useMemo(() => trialSchema(hasMedia), [hasMedia]);
  const { form, summary, submit, isRestored, discard } = useKeptForm({
    schema,
    base,
    draft: stored,
    keep: (typed) => keepDraft(solution.id, userId, edited, typed),
    act: async (fields) => {
      const db = await browserClient();
      const ready = await sendFiles(db, userId, queue);
      await submitTrial(db, solution.id, fields, ready, submissionId);
    },
    done: {
      title: 'Trial report submitted',
      text: 'Thank you. A moderator will review it before it becomes public.',
    },
    failed: 'Trial report not submitted',
    fallback: 'Failed to submit your trial report. Please try again.',
    onDone: async () => {
      queue.clear();
      cache.removeQueries({ queryKey: ['solutions', 'own-trials', solution.id] });
      await cache.invalidateQueries({ queryKey: ['solutions'] });
      await navigate(`/solutions/${solution.id}`);
    },
  });
  const { register, formState } = form;
  const { errors, isSubmitting } = formState;
  const values = form.watch();
  const versions = solution.versions.filter(({ version }) => !taken.includes(version));
  const message = (name: keyof Fields) => errors[name]?.message;

  return (
    <form
      method="dialog"
      noValidate
      onSubmit={submit}
      onMouseDown={keepFieldOnPress}
      className="mt-8 [&>section+section]:mt-9 [&>section+section]:border-t [&>section+section]:pt-8"
    >
      {isRestored && <DraftRestored onDiscard={discard} className="mb-8" />}
      {summary.problems.length > 0 && (
        <div className="mb-8">
          <ErrorSummary {...summary} />
        </div>
      )}
      <section className="flex flex-col gap-7" aria-label="How it went">
        {!edited && versions.length > 1 && (
          <Field id="version" label="Version you tried">
            <Select {...register('version')}>
              {versions.map(({ version, published_at }) => (
                <option key={version} value={version}>
                  Version {version}, {formatDay(published_at)}
                </option>
              ))}
            </Select>
          </Field>
        )}
        {edited && solution.version > 1 && <p className="text-ink-2">You tried version {edited.version}.</p>}
        <FieldGroup radios id="result" legend="How did it go?" error={message('result')}>
          <div className="mt-2">
            {results.map(({ value, choice }) => (
              <Radio key={value} value={value} {...register('result')}>
                {choice}
              </Radio>
            ))}
          </div>
        </FieldGroup>
        {values.result === 'worked_with_changes' && (
          <Field
            id="changes"
            label="What did you change?"
            hint="Dimensions, materials, parts, the way you fitted it"
            error={message('changes')}
            note={characterCount(values.changes, MAX_SECTION_LENGTH)}
          >
            <Textarea {...register('changes')} rows={4} />
          </Field>
        )}
        <LanguageField
          form={{ fields: values, change: ({ language }) => form.setValue('language', language) }}
          text={trialTexts(values)}
          lineClassName="-mt-5"
          id="experience"
          label={values.result === 'did_not_work' ? 'Why did it not work?' : 'What happened?'}
          optional={values.result !== 'did_not_work'}
          hint="What you observed and over how long. Leave out names and dates of birth."
          error={message('experience')}
          note={characterCount(values.experience, MAX_SECTION_LENGTH)}
        >
          <Textarea {...register('experience')} rows={4} />
        </LanguageField>
        {values.result === 'did_not_work' && (
          <HarmQuestion>
            A safety notice warns everyone who reads the solution.{' '}
            <button type="button" className="reach link" onClick={() => setIsReporting(true)}>
              Ask the moderators for a safety notice
            </button>
          </HarmQuestion>
        )}
        <Region>{() => <PatientIdentifierWarning text={trialTexts(values)} />}</Region>
      </section>
      <section className="flex flex-col gap-7" aria-label="Who you tried it with">
        <h2 className="text-xl">Who you tried it with</h2>
        <FormProvider {...form}>
          <Tiles name="amputationLevel" legend="Amputation level" of={amputationLevels} />
          <Tiles name="prosthesisType" legend="Prosthesis type" of={prosthesisTypes} />
          <Tiles name="ageGroup" legend="Age group" of={ageGroups} />
          <OutcomeFields limb={limbOf[values.amputationLevel]} />
        </FormProvider>
      </section>
      <section aria-label="Images and videos">
        <h2 className="text-xl">
          Images and videos <span className="text-sm font-normal text-ink-3">optional</span>
        </h2>
        <div className="mt-5">
          <Region>
            <MediaSection queue={queue} uploads={uploads} />
          </Region>
        </div>
        {hasMedia && (
          <div className="mt-7">
            {/* For everyone, since the solution can be opened to more people later. */}
            <ConsentField
              title="Consent"
              field={register('consent')}
              error={message('consent')}
              audience="public"
            />
          </div>
        )}
      </section>
      <div className="mt-9 border-t pt-8">
        <Button
          type="submit"
          variant="primary"
          className="min-h-12 px-6"
          busy={isSubmitting && 'Sending the trial report'}
        >
          Submit for review
        </Button>
      </div>
      {isReporting && (
        <ReportCaseDialog
          kind="solution"
          title="Report solution"
          contentId={solution.id}
          reporterId={userId}
          onClose={() => setIsReporting(false)}
        />
      )}
    </form>
  );
}
