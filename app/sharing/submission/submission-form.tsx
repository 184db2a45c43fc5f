import { useQueryClient } from '@tanstack/react-query';
import {
  type FormEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { FormProvider } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { problemsOf, useForm } from '#app/frame/act/use-form.ts';
import { asMember } from '#app/session.ts';
import { MediaSection, sayRefused } from '#app/sharing/media-upload/media-section.tsx';
import { isBuildFile } from '#app/sharing/media-upload/upload-queue.ts';
import type { DraftTarget } from '#app/sharing/outbox/draft-key.ts';
import { forgetSubmitted, keepSubmitted } from '#app/sharing/outbox/submitted.ts';
import { isBlankFabrication } from '#app/solution/fabrication/form-schema.ts';
import { ConsentSection } from '#app/solution/review/consent-section.tsx';
import { type SolutionForm, solutionSchema } from '#app/solution/solutions/form-schema.ts';
import { signFiles } from '#app/solution/solutions/private-files.ts';
import { solutionSections } from '#app/solution/solutions/value-lists.ts';
import { ChangeNoteField } from '#app/solution/versions/change-note-field.tsx';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { ErrorSummary } from '#app/ui/controls/error-summary.tsx';
import { keepFieldOnPress } from '#app/ui/controls/field.tsx';
import { useLeaveWarning } from '#app/ui/states/leave-guard.tsx';
import { Region } from '#app/ui/states/region.tsx';
import { useWide } from '#app/ui/states/use-wide.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';
import {
  added,
  discardUploadQueue,
  isConnectionLost,
  refusalText,
  releaseUploadQueues,
  SUBMITTED,
  sendSolution,
  uploadQueueFor,
} from './data.ts';
import {
  blankDraft,
  type Draft,
  holdsChanges,
  isOnDevice,
  type KeptFiles,
  type LoadedDraft,
  saveDraft,
} from './draft.ts';
import { DraftBanners, DraftStatus } from './draft-banners.tsx';
import {
  FormSections,
  firstOpenStep,
  MissingAnswers,
  SectionTitle,
  StepTitle,
  sectionIds,
  steps,
} from './form-sections.tsx';
import { BuildSection, OutcomesSection } from './later-sections.tsx';
import { ClassificationFields, MaterialsSection, SolutionFields } from './main-sections.tsx';
import { SubmissionPreview } from './submission-preview.tsx';
import { useDraft } from './use-draft.ts';
import { laterParts, useStep } from './use-step.ts';

interface SubmissionFormProps {
  target: DraftTarget;
  /** The form without a draft: empty, or the solution that is edited. */
  base: Draft;
  /** Undefined when it could not be read. */
  loaded: LoadedDraft | undefined;
  /** Whether the submission is a new version of a published solution. */
  isPublished: boolean;
  /** The published solution on which the member wants to build, if any. */
  source: SolutionForm['basedOn'][number] | null;
  /** Opens the form again, with the draft as it is kept by then. */
  onReload: () => void;
}

const holdsLaterParts = ({ form, uploads }: Draft) =>
  [...solutionSections.map(({ field }) => form[field]), form.outcomes, form.basedOn].some(
    ({ length }) => length > 0,
  ) ||
  !isBlankFabrication(form.fabrication) ||
  uploads.items.some(isBuildFile);

const NO_FILES: KeptFiles = new Map();

/** The form in which a solution is written or edited, with its draft, its files and its preview. */
export function SubmissionForm({ target, base, loaded, isPublished, source, onReload }: SubmissionFormProps) {
  const { draft = null, files = NO_FILES, missing = 0, isUnreadable = false } = loaded ?? {};
  const { userId, solutionId } = target;
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [initial, setInitial] = useState(draft ?? base);
  const queue = useMemo(
    () => uploadQueueFor({ userId, solutionId }, initial, files),
    [userId, solutionId, initial, files],
  );
  const uploads = useSyncExternalStore(queue.subscribe, queue.read, queue.read);
  const restored = initial !== base && initial === draft;
  const [refusal, setRefusal] = useState<string>();
  const form = useForm({
    schema: solutionSchema,
    shouldFocusError: false,
    // A required answer that one has passed by says so, and not only at the end.
    mode: 'onTouched',
    defaultValues: initial.form,
  });
  const { register, formState, handleSubmit, subscribe } = form;
  const onChange = useCallback(
    (changed: (form: SolutionForm) => void) =>
      subscribe({ formState: { values: true }, callback: ({ values }) => changed(values) }),
    [subscribe],
  );
  const { errors, isSubmitting, submitCount } = formState;
  const values = form.watch();
  const written = JSON.stringify(values);

  const content = { id: initial.id, written, uploads };
  const { isHere, isStored, isKept, otherAt, keepThis, end } = useDraft(
    target,
    content,
    base,
    loaded?.otherAt ?? null,
    onChange,
  );
  const [opened] = useState(uploads.items);
  const addedCount = uploads.items.filter(({ id }) => !opened.some((item) => item.id === id)).length;
  const isWide = useWide();
  const { step, asked, goTo, goBack } = useStep(isWide ? steps.length - 1 : firstOpenStep(values));
  const [hasMore, setMore] = useState(
    () => solutionId !== null || asked !== null || source !== null || holdsLaterParts(initial),
  );
  const [isAddition] = useState(solutionId !== null && asked !== null);
  const isSaved = isHere || isStored;
  useLeaveWarning(useCallback(() => !isSaved || queue.wouldLoseFiles(), [isSaved, queue]));

  // Files of an earlier visit are private and need a signed URL; so do the posters of clips.
  const unseen = uploads.items
    .flatMap(({ result, preview }) => (result && !preview ? [result.thumbnailUrl] : []))
    .join(' ');
  useEffect(() => {
    if (!unseen) return;
    void browserClient()
      .then((db) => signFiles(db, unseen.split(' ')))
      .then((addresses) => queue.setThumbnail(addresses))
      .catch((error: unknown) => console.error('previews:', error));
  }, [unseen, queue]);

  const moving = uploads.items.filter(
    ({ state }) => state === 'waiting' || state === 'uploading' || state === 'processing',
  ).length;

  /** Leaves the form to be sent when the site can be reached. @returns false where this device cannot keep it */
  const keepToSend = async (isAttempted: boolean): Promise<boolean> => {
    if (!(await queue.whenKept())) return false;
    try {
      const content = { id: initial.id, form: form.getValues(), uploads: queue.read() };
      const stored = saveDraft(target, content, base);
      if (!stored || !holdsChanges(stored, base) || !isOnDevice(target)) return false;
      const { order, savedAt } = stored;
      const title = content.form.title.trim();
      keepSubmitted({ target, title, fileCount: order.length, savedAt, isAttempted, problem: null });
    } catch (error) {
      console.warn('outbox:', error);
      return false;
    }
    releaseUploadQueues();
    return true;
  };

  const [attempt, setAttempt] = useState(0);
  const focusFirstProblem = useEffectEvent(() => {
    // A form of one page has a summary of its problems, which takes the focus instead.
    if (isWide) return;
    const all = problemsOf(errors);
    const [first] = (steps[step]?.fields ?? []).flatMap((name) =>
      all.filter(({ id }) => id === name || id?.startsWith(`${name}.`)),
    );
    const control = document.getElementById(first?.id ?? '');
    control?.scrollIntoView({ block: 'center' });
    control?.focus();
  });
  useEffect(() => {
    if (attempt + submitCount > 0) focusFirstProblem();
  }, [attempt, submitCount]);
  const goOn = async (event: FormEvent) => {
    event.preventDefault();
    if (await form.trigger(steps[step]?.fields)) goTo(step + 1);
    else setAttempt(attempt + 1);
  };

  const submit = handleSubmit(async (fields) => {
    setRefusal(undefined);
    if (!navigator.onLine && (await keepToSend(false))) return;
    let sentId: string;
    try {
      sentId = await asMember(() => sendSolution(target, initial.id, fields, queue));
    } catch (error) {
      if (isConnectionLost(error) && (await keepToSend(true))) return;
      const text = refusalText(error);
      setRefusal(text);
      toast({ tone: 'error', title: 'Submission Failed', text });
      return;
    }
    await end(true);
    discardUploadQueue(userId, initial.id);
    forgetSubmitted(target);
    const page = `/solutions/${sentId}`;
    toast(isAddition ? added(isPublished) : { ...SUBMITTED, link: { to: page, label: 'View solution' } });
    await cache.invalidateQueries({ queryKey: ['solutions'] });
    // The form is not emptied before it is left: its first step would come back in place of the page that is opened.
    await navigate(isAddition ? page : '/');
  });

  const discard = async () => {
    await end(false);
    discardUploadQueue(userId, initial.id);
    forgetSubmitted(target);
    form.reset(base.form);
    // A new id, so that the previous submission is not taken for this one.
    setInitial(solutionId ? { ...base } : blankDraft());
  };

  const takeAsBuildFile = async (id: string) => {
    setMore(true);
    await queue.takeAsBuildFile(id, sayRefused);
    const summary = document.getElementById(laterParts.files);
    summary?.scrollIntoView({ block: 'center' });
    summary?.focus({ preventScroll: true });
    if (!isWide)
      toast({ tone: 'success', title: 'Added to build files', text: 'You’ll find it in the next step.' });
  };

  const problems = [...(isWide ? problemsOf(errors) : []), ...(refusal ? [{ message: refusal }] : [])];
  const message = (name: keyof SolutionForm) => errors[name]?.message;
  const isLast = isWide || step === steps.length - 1;
  /** Every field stays in the page, so that what is typed outlasts its step. */
  const inStep = (place: number) => ({ hidden: !isWide && step !== place });
  const parts = {
    solution: (
      <section
        key="solution"
        aria-label="The solution"
        className="flex flex-col gap-5 lg:gap-7"
        {...inStep(0)}
      >
        {isWide && <SectionTitle id={sectionIds.solution}>The solution</SectionTitle>}
        <SolutionFields values={values} rows={isWide ? 6 : 4} />
      </section>
    ),
    classification: (
      <section
        key="classification"
        aria-label="Classification"
        className="flex flex-col gap-5 lg:gap-7"
        {...inStep(1)}
      >
        {isWide && <SectionTitle id={sectionIds.classification}>Classification</SectionTitle>}
        <ClassificationFields />
      </section>
    ),
    materials: (
      <section key="materials" aria-label="Materials and tags" {...inStep(1)}>
        <MaterialsSection isOpen={isWide} />
      </section>
    ),
    more: !isWide && !hasMore && (
      <section key="more" aria-label="More" {...inStep(1)}>
        <p className="text-ink-2">
          Outcomes, files and how to build it can wait until after you submit.{' '}
          <button type="button" className="reach link" onClick={() => setMore(true)}>
            Add more now
          </button>
        </p>
      </section>
    ),
    outcomes: (isWide || hasMore) && (
      <section key="outcomes" aria-label="Outcomes" {...inStep(1)}>
        <OutcomesSection values={values} isOpen={asked === laterParts.outcomes} />
      </section>
    ),
    media: (
      <section key="media" aria-label="Media" {...inStep(0)}>
        {isWide && <SectionTitle id={sectionIds.media}>Media</SectionTitle>}
        <div className="lg:mt-5">
          <Region>
            <MediaSection queue={queue} uploads={uploads} onBuildFile={(id) => void takeAsBuildFile(id)} />
          </Region>
        </div>
      </section>
    ),
    build: (isWide || hasMore) && (
      <section
        key="build"
        id={sectionIds.build}
        aria-label="Building it"
        className="flex scroll-mt-24 flex-col gap-5 lg:gap-7"
        {...inStep(1)}
      >
        <BuildSection values={values} {...{ queue, uploads, solutionId, source, asked }} />
      </section>
    ),
    change: isPublished && (
      <ChangeNoteField
        key="change"
        {...register('changeNote')}
        text={values.changeNote}
        error={message('changeNote')}
        removal={register('removesDetails')}
        isHidden={!isLast}
      />
    ),
    consent: (
      <section key="consent" aria-label="Consent" {...inStep(2)}>
        <ConsentSection
          title={<SectionTitle id={sectionIds.consent}>Consent</SectionTitle>}
          form={form}
          isPublished={isPublished}
        />
      </section>
    ),
  };
  const { solution, classification, materials, more, outcomes, media, build, change, consent } = parts;
  return (
    <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-x-16 lg:mt-8 lg:grid-cols-[208px_minmax(0,640px)] xl:grid-cols-[208px_minmax(0,640px)_300px]">
      <Region>
        <FormSections values={values} errors={errors} moving={moving > 0} media={uploads.items} />
      </Region>
      <form
        onMouseDown={keepFieldOnPress}
        method="dialog"
        noValidate
        onSubmit={isLast ? submit : goOn}
        className="min-w-0 max-lg:[&>section+section]:mt-5 lg:[&>section+section]:mt-9 lg:[&>section+section]:border-t lg:[&>section+section]:pt-8"
      >
        <DraftBanners
          target={target}
          base={base}
          onDiscard={restored ? () => void discard() : null}
          onKeepThis={keepThis}
          onReload={queue.wouldLoseFiles() ? null : onReload}
          missing={Math.max(missing - addedCount, 0)}
          {...{ isHere, isStored, otherAt, isUnreadable }}
        />
        {submitCount > 0 && problems.length > 0 && (
          <div className="mb-8">
            <ErrorSummary problems={problems} attempt={submitCount} />
          </div>
        )}
        {!isWide && <StepTitle step={step} />}
        <FormProvider {...form}>
          {[media, solution, classification, materials, more, outcomes, build, change, consent]}
        </FormProvider>
        <div className="mt-6 lg:mt-9 lg:border-t lg:pt-8">
          {isWide && <Region>{() => <MissingAnswers values={values} />}</Region>}
        </div>
        <div className="flex flex-wrap items-center gap-4">
          {!isWide && step > 0 && (
            <Button className="min-h-12" onClick={goBack}>
              Back
            </Button>
          )}
          {isLast ? (
            <Button
              key="submit"
              type="submit"
              variant="primary"
              className="min-h-12 px-6"
              busy={isSubmitting && (moving > 0 ? 'Uploading media' : 'Submitting')}
            >
              Submit for review
            </Button>
          ) : (
            <Button key="continue" type="submit" variant="primary" className="min-h-12 px-6">
              Continue
            </Button>
          )}
          {moving > 0 && (
            <p className="text-ink-2">
              {moving === 1 ? 'One file is still uploading' : `${moving} files are still uploading`}
            </p>
          )}
        </div>
        {isKept && <DraftStatus isHere={isHere} isStored={isStored} uploads={uploads} />}
      </form>
      <Region>
        <SubmissionPreview values={values} uploads={uploads} />
      </Region>
    </div>
  );
}
