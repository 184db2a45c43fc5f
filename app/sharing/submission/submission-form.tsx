import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { Controller, FormProvider, type Resolver } from 'react-hook-form';
import { useNavigate } from 'react-router';
import type { DraftTarget } from '#app/frame/outbox/draft-key.ts';
import { forgetSubmitted, keepSubmitted } from '#app/frame/outbox/submitted.ts';
import { BuildFileFields } from '#app/sharing/media-upload/build-file-fields.tsx';
import { MediaSection } from '#app/sharing/media-upload/media-section.tsx';
import { isBuildFile } from '#app/sharing/media-upload/upload-queue.ts';
import { FabricationFields } from '#app/solution/fabrication/fabrication-fields.tsx';
import { ConsentSection } from '#app/solution/review/consent-section.tsx';
import {
  emptySolution,
  MAX_DESCRIPTION_LENGTH,
  MAX_TITLE_LENGTH,
  MIN_DESCRIPTION_LENGTH,
  type SolutionForm,
  solutionSchema,
} from '#app/solution/solutions/form-schema.ts';
import { signFiles } from '#app/solution/solutions/private-files.ts';
import {
  ageGroups,
  amputationLevels,
  costRanges,
  functionalCapabilities,
  materials,
  prosthesisTypes,
} from '#app/solution/solutions/value-lists.ts';
import { BasedOnField } from '#app/solution/versions/based-on-field.tsx';
import { ChangeNoteField } from '#app/solution/versions/change-note-field.tsx';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Checkbox } from '#app/ui/controls/checkbox-radio.tsx';
import { ErrorSummary } from '#app/ui/controls/error-summary.tsx';
import { characterCount, Field, FieldGroup, keepFieldOnPress } from '#app/ui/controls/field.tsx';
import { problemsOf, useForm } from '#app/ui/controls/form.ts';
import { Input, Options, Select, Textarea } from '#app/ui/controls/input.tsx';
import { useLeaveWarning } from '#app/ui/states/leave-guard.tsx';
import { Region } from '#app/ui/states/region.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import {
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
import { DraftBanners } from './draft-banners.tsx';
import { FormSections, MissingAnswers, SectionTitle, sectionIds } from './form-sections.tsx';
import { OutcomesSection } from './outcomes-section.tsx';
import { PatientIdentifierWarning } from './patient-identifier-warning.tsx';
import { SubmissionPreview } from './submission-preview.tsx';
import { TagInput } from './tag-input.tsx';
import { useDraft } from './use-draft.ts';

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
  const resolver: Resolver<SolutionForm> = zodResolver(solutionSchema);
  const form = useForm<SolutionForm>({
    resolver,
    shouldFocusError: false,
    // A required answer that one has passed by says so, and not only at the end.
    mode: 'onTouched',
    defaultValues: initial.form,
  });
  const { register, control, formState, handleSubmit, subscribe } = form;
  const onChange = useCallback(
    (changed: (form: SolutionForm) => void) =>
      subscribe({ formState: { values: true }, callback: ({ values }) => changed(values) }),
    [subscribe],
  );
  const { errors, isSubmitting, submitCount } = formState;
  const values = form.watch();
  const written = JSON.stringify(values);

  const content = { id: initial.id, written, uploads };
  const { isHere, isStored, otherAt, keepThis, end } = useDraft(
    target,
    content,
    base,
    loaded?.otherAt ?? null,
    onChange,
  );
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

  const submit = handleSubmit(async (fields) => {
    setRefusal(undefined);
    if (!navigator.onLine && (await keepToSend(false))) return;
    try {
      await sendSolution(target, initial.id, fields, queue);
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
    toast(SUBMITTED);
    await cache.invalidateQueries({ queryKey: ['solutions'] });
    form.reset(emptySolution);
    await navigate('/');
  });

  const discard = async () => {
    await end(false);
    discardUploadQueue(userId, initial.id);
    forgetSubmitted(target);
    form.reset(base.form);
    // A new id, so that the previous submission is not taken for this one.
    setInitial(solutionId ? { ...base } : blankDraft());
  };

  const problems = [...problemsOf(errors), ...(refusal ? [{ message: refusal }] : [])];
  const message = (name: keyof SolutionForm) => errors[name]?.message;
  return (
    <div className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-x-16 lg:grid-cols-[208px_minmax(0,640px)] xl:grid-cols-[208px_minmax(0,640px)_300px]">
      <Region>
        <FormSections values={values} errors={errors} moving={moving > 0} media={uploads.items} />
      </Region>
      <form
        onMouseDown={keepFieldOnPress}
        method="dialog"
        noValidate
        onSubmit={submit}
        className="min-w-0 [&>section+section]:mt-9 [&>section+section]:border-t [&>section+section]:pt-8"
      >
        <DraftBanners
          target={target}
          base={base}
          onDiscard={restored ? () => void discard() : null}
          onKeepThis={keepThis}
          onReload={queue.wouldLoseFiles() ? null : onReload}
          {...{ isHere, isStored, otherAt, missing, isUnreadable }}
        />
        {submitCount > 0 && problems.length > 0 && (
          <div className="mb-8">
            <ErrorSummary problems={problems} attempt={submitCount} />
          </div>
        )}
        <section aria-labelledby={sectionIds.solution} className="flex flex-col gap-7">
          <SectionTitle id={sectionIds.solution}>The solution</SectionTitle>
          <Field
            id="title"
            label="Title"
            hint="At least 10 characters"
            error={message('title')}
            note={characterCount(values.title, MAX_TITLE_LENGTH)}
          >
            <Input {...register('title')} maxLength={MAX_TITLE_LENGTH} />
          </Field>
          <Field
            id="description"
            label="Description"
            hint="What you made, who it’s for, and how it works. Leave out names and dates of birth."
            error={message('description')}
            note={
              values.description.trim().length < MIN_DESCRIPTION_LENGTH
                ? `${values.description.trim().length} characters – ${MIN_DESCRIPTION_LENGTH} minimum`
                : characterCount(values.description, MAX_DESCRIPTION_LENGTH)
            }
          >
            <Textarea {...register('description')} rows={6} />
          </Field>
          <Region>
            {() => (
              <PatientIdentifierWarning
                text={`${values.title}\n${values.description}\n${values.customTags.join('\n')}`}
              />
            )}
          </Region>
        </section>
        <section aria-labelledby={sectionIds.classification} className="flex flex-col gap-7">
          <SectionTitle id={sectionIds.classification}>Classification</SectionTitle>
          <div className="grid items-end gap-x-5 gap-y-7 md:grid-cols-2">
            <Field
              id="functionInMind"
              label="Function in mind"
              hint="Shown as Target Occupation"
              error={message('functionInMind')}
            >
              <Select {...register('functionInMind')}>
                <Options of={functionalCapabilities} none="Please select" />
              </Select>
            </Field>
            <Field id="amputationLevel" label="Amputation level" error={message('amputationLevel')}>
              <Select {...register('amputationLevel')}>
                <Options of={amputationLevels} none="Please select" />
              </Select>
            </Field>
            <Field id="prosthesisType" label="Prosthesis type" error={message('prosthesisType')}>
              <Select {...register('prosthesisType')}>
                <Options of={prosthesisTypes} none="Please select" />
              </Select>
            </Field>
            <Field id="costRange" label="Cost range" error={message('costRange')}>
              <Select {...register('costRange')}>
                <Options of={costRanges} none="Please select" />
              </Select>
            </Field>
          </div>
          <FieldGroup id="ageGroup" legend="Age group" error={message('ageGroup')}>
            <div className="flex flex-wrap gap-x-7">
              {ageGroups.map((group) => (
                <Checkbox key={group} value={group} {...register('ageGroup')}>
                  {group}
                </Checkbox>
              ))}
            </div>
          </FieldGroup>
        </section>
        <section aria-labelledby={sectionIds.materials} className="flex flex-col gap-7">
          <SectionTitle id={sectionIds.materials}>Materials and tags</SectionTitle>
          <FieldGroup id="materials" legend="Materials">
            <div className="grid grid-cols-2 gap-x-5">
              {materials.map((material) => (
                <Checkbox key={material} value={material} {...register('materials')}>
                  {material}
                </Checkbox>
              ))}
            </div>
          </FieldGroup>
          <Controller
            control={control}
            name="customTags"
            render={({ field }) => <TagInput tags={field.value} onChange={field.onChange} />}
          />
          <Controller
            control={control}
            name="basedOn"
            render={({ field }) => <BasedOnField field={field} except={solutionId} wanted={source} />}
          />
        </section>
        <OutcomesSection form={form} values={values} />
        <section aria-labelledby={sectionIds.media}>
          <SectionTitle id={sectionIds.media}>Media</SectionTitle>
          <div className="mt-5">
            <Region>
              <MediaSection queue={queue} uploads={uploads} />
            </Region>
            <Region>
              <BuildFileFields queue={queue} uploads={uploads} />
            </Region>
          </div>
          <div className="mt-7 flex flex-col gap-7">
            <FormProvider {...form}>
              <FabricationFields pictures={uploads.items.filter((item) => !isBuildFile(item))} />
            </FormProvider>
            <Region>
              {() => (
                <PatientIdentifierWarning
                  text={values.fabrication.steps.map((one) => one.instruction).join('\n')}
                />
              )}
            </Region>
          </div>
        </section>
        {isPublished && (
          <ChangeNoteField
            {...register('changeNote')}
            text={values.changeNote}
            error={message('changeNote')}
            removal={register('removesDetails')}
          />
        )}
        <section aria-labelledby={sectionIds.consent}>
          <ConsentSection
            title={<SectionTitle id={sectionIds.consent}>Consent</SectionTitle>}
            form={form}
            isPublished={isPublished}
          />
        </section>
        <div className="mt-9 border-t pt-8">
          <Region>{() => <MissingAnswers values={values} />}</Region>
        </div>
        <div className="flex flex-wrap items-center gap-4">
          <Button
            type="submit"
            variant="primary"
            className="min-h-12 px-6"
            busy={isSubmitting && (moving > 0 ? 'Uploading media' : 'Submitting')}
          >
            Submit for review
          </Button>
          {moving > 0 && (
            <p className="text-ink-2">
              {moving === 1 ? 'One file is still uploading' : `${moving} files are still uploading`}
            </p>
          )}
        </div>
      </form>
      <Region>
        <SubmissionPreview values={values} uploads={uploads} />
      </Region>
    </div>
  );
}
