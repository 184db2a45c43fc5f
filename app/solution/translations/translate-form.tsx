import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Clock } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { isUnreachable } from '#app/errors.ts';
import { DraftRestored } from '#app/frame/act/draft-restored.tsx';
import { useKeptForm } from '#app/frame/act/use-kept-form.ts';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import { PatientIdentifierWarning } from '#app/frame/patient-identifiers/patient-identifier-warning.tsx';
import type { Solution } from '#app/solution/solutions/data.ts';
import { shownMedia } from '#app/solution/versions/content.ts';
import type { Content } from '#app/solution/versions/content-schema.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { ErrorSummary } from '#app/ui/controls/error-summary.tsx';
import { Field, keepFieldOnPress } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { languageName, textLanguage } from '#app/ui/languages/languages.ts';
import { keepOnDevice, keptOnDevice } from '#app/ui/states/keep-on-device.ts';
import { Region } from '#app/ui/states/region.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { z } from '#app/zod.ts';
import { type OwnTranslation, submitTranslation } from './data.ts';
import {
  type Beginning,
  beginnings,
  describedBy,
  MAX_TEXT_LENGTH,
  MAX_TITLE_LENGTH,
  type TranslatableText,
  type TranslatedTexts,
  translatableTexts,
} from './texts.ts';

interface TranslateFormProps {
  solution: Solution;
  /** What its published version says, and the number of that. */
  content: Content;
  version: number;
  language: string;
  /** The member's own translation that waits or was sent back. */
  waiting: OwnTranslation | undefined;
  /** That one, or the one that readers see, with what it translates. */
  earlier: { texts: TranslatedTexts; content: Content } | undefined;
  /** Whether readers see one in this language. */
  isPublic: boolean;
  userId: string;
}

/** With what each text translates, since the original can change before the draft is opened again. */
const draftSchema = z.object({
  texts: z.record(z.string(), z.string()),
  originals: z.array(z.object({ name: z.string(), label: z.string(), original: z.string() })),
});

/** What is written so far, by the names of the texts. */
const written = (texts: readonly TranslatableText[], typed: readonly string[]): TranslatedTexts =>
  Object.fromEntries(
    texts.flatMap(({ name }, index) => {
      const text = typed[index]?.trim();
      return text ? [[name, text]] : [];
    }),
  );

/** Each text of a solution beside its translation, the safety notice first. */
export function TranslateForm({
  solution,
  content,
  version,
  language,
  waiting,
  earlier,
  isPublic,
  userId,
}: TranslateFormProps) {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const notice = solution.notices.find(({ ended_at }) => !ended_at);
  const key = `draft:translation:${userId}:${solution.id}:${language}`;
  // Kept as the form opened: what is written stays beside what it translates, and goes to review as a translation of that.
  const [opened] = useState(() => {
    const texts = translatableTexts(content, notice);
    const draft = keptOnDevice(key, draftSchema.parse);
    const base = earlier
      ? beginnings(earlier.texts, translatableTexts(earlier.content, notice), texts)
      : new Map<string, Beginning>();
    return { texts, version, base, draft: draft && beginnings(draft.texts, draft.originals, texts) };
  });
  const { texts, base, draft } = opened;
  const names = texts.map(({ name }) => name);
  const begun = (from: ReadonlyMap<string, Beginning>) => ({
    texts: names.map((name) => from.get(name)?.text ?? ''),
  });
  /** Whether what the form began with says what the original no longer says. */
  const isOutdated = (name: string) =>
    began.get(name)?.isChanged ||
    (base.get(name)?.isChanged && began.get(name)?.text === base.get(name)?.text);
  // What was not written for this original is kept as written for none.
  const draftOf = (typed: readonly string[]) => ({
    texts: written(texts, typed),
    originals: texts.map((text, index) =>
      isOutdated(text.name) && typed[index] === began.get(text.name)?.text ? { ...text, original: '' } : text,
    ),
  });
  const schema = useMemo(() => schemaOf(texts), [texts]);
  const { form, summary, submit, isRestored, discard } = useKeptForm({
    schema,
    base: begun(base),
    draft: draft && begun(draft),
    keep: (typed) => {
      // Without room the text stays on the page.
      keepOnDevice(key, typed && JSON.stringify(draftOf(typed.texts)));
    },
    act: async (fields) => {
      const given = { solution: solution.id, version: opened.version, language };
      try {
        await submitTranslation(await browserClient(), { ...given, texts: written(texts, fields.texts) });
      } catch (error) {
        // A notice may have come, which is to be translated first.
        if (!isUnreachable(error))
          void cache.invalidateQueries({ queryKey: ['solutions', 'one', solution.id] });
        throw error;
      }
    },
    done: {
      title: 'Translation submitted',
      text: 'Thank you. A moderator will review it before it becomes public.',
    },
    failed: 'Translation not submitted',
    fallback: 'Failed to submit your translation. Please try again.',
    onDone: async () => {
      await cache.invalidateQueries({ queryKey: ['solutions'] });
      await navigate(`/solutions/${solution.id}`);
    },
  });
  const began = isRestored && draft ? draft : base;
  const { register, formState } = form;
  const { errors, isSubmitting } = formState;
  const values = form.watch();

  return (
    <form
      method="dialog"
      noValidate
      onSubmit={submit}
      onMouseDown={keepFieldOnPress}
      className="mt-8 flex flex-col gap-7"
    >
      <p className="max-w-[66ch] text-ink-2">
        Say what the original says, and no more. Your name is shown with it, next to the author’s. What you
        write has the same licence as the original.
        {isPublic && ' The present translation stays until a moderator has approved yours.'}
      </p>
      {waiting?.status === 'pending' && (
        <Banner tone="amber" icon={Clock} title="Your translation is pending review.">
          You can still change it.
        </Banner>
      )}
      {waiting?.status === 'rejected' && (
        <Banner tone="red" icon={CircleAlert} title="A moderator asked for changes:">
          {waiting.rejection_reason}
        </Banner>
      )}
      {isRestored && <DraftRestored onDiscard={discard} />}
      {summary.problems.length > 0 && <ErrorSummary {...summary} />}
      {texts.map(({ name, label, original, language: written }, index) => (
        <div key={name} className="grid gap-x-8 gap-y-2 border-t pt-6 lg:grid-cols-2">
          <div className="min-w-0">
            <p className="font-bold">
              {label}{' '}
              <span className="text-sm font-normal text-ink-3">
                in {languageName(written ?? solution.language)}
              </span>
            </p>
            <p
              id={`original-${index}`}
              {...textLanguage(written ?? solution.language)}
              className="mt-2 whitespace-pre-line wrap-anywhere"
            >
              {original}
            </p>
            <DescribedPicture solution={solution} name={name} />
          </div>
          <Field
            id={`texts.${index}`}
            label={
              <>
                {label} <span className="text-sm font-normal text-ink-3">in {languageName(language)}</span>
              </>
            }
            hint={isOutdated(name) && 'The original has changed since this was translated.'}
            error={errors.texts?.[index]?.message}
          >
            <Textarea
              {...register(`texts.${index}`)}
              {...textLanguage(language)}
              rows={Math.min(14, Math.max(2, Math.ceil(original.length / 60)))}
            />
          </Field>
        </div>
      ))}
      <Region>{() => <PatientIdentifierWarning text={values.texts.join('\n')} />}</Region>
      <div className="border-t pt-8">
        <Button
          type="submit"
          variant="primary"
          className="min-h-12 px-6"
          busy={isSubmitting && 'Sending the translation'}
        >
          Submit for review
        </Button>
      </div>
    </form>
  );
}

/** What a description describes, so that it is translated in sight of it. */
function DescribedPicture({ solution, name }: { solution: Solution; name: string }) {
  const fileUrl = useFileUrl();
  const id = describedBy(name);
  const picture = id && shownMedia(solution.media, id)?.thumbnail_url;
  if (!picture) return null;
  return (
    <Picture
      src={fileUrl(picture)}
      alt=""
      loading="lazy"
      className="mt-3 aspect-4/3 w-full max-w-60 rounded-md object-cover"
    />
  );
}

/** The form is a list, since the name of a text can be no field of its own: it may hold a dot. */
const schemaOf = (texts: readonly TranslatableText[]) =>
  z.object({
    texts: z.array(z.string()).check(({ value, issues }) => {
      for (const [index, { name, label }] of texts.entries()) {
        const length = value[index]?.trim().length ?? 0;
        const most = name === 'title' ? MAX_TITLE_LENGTH : MAX_TEXT_LENGTH;
        const message =
          length === 0
            ? `Please translate: ${label}`
            : length > most
              ? `${label} must be at most ${most} characters`
              : undefined;
        if (message) issues.push({ code: 'custom', path: [index], message, input: value });
      }
    }),
  });
