import { useState } from 'react';
import { isLimit, messageOf } from '#app/errors.ts';
import { useAction } from '#app/frame/act/use-action.ts';
import { useLocalDraft } from '#app/frame/act/use-local-draft.ts';
import { browserClient } from '#app/supabase.ts';
import { Field } from '#app/ui/controls/field.tsx';
import { Input, Select, Textarea } from '#app/ui/controls/input.tsx';
import { knownText } from '#app/ui/languages/known-text.ts';
import { chosenLanguage } from '#app/ui/languages/language-choice.tsx';
import { LanguageField } from '#app/ui/languages/language-field.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { categories } from './categories.ts';
import { suggest } from './data.ts';
import { MAX_DESCRIPTION_LENGTH, type Suggestion, suggestionSchema } from './form-schema.ts';

const failed = 'Failed to submit suggestion. Please try again.';

/** The form in which a member suggests a link for the list of resources. */
export function SuggestDialog({
  memberId,
  category,
  onClose,
}: {
  memberId: string;
  /** Preselected. */
  category: string | null;
  onClose: () => void;
}) {
  const { fields, change, clearDraft } = useLocalDraft('resource', {
    resource_name: '',
    resource_url: '',
    description: '',
    category: category ?? '',
    language: '',
  });
  const [errors, setErrors] = useState<Partial<Record<keyof Suggestion, string>>>({});
  const updateFields = (part: Partial<typeof fields>) => {
    change(part);
    setErrors((now) => ({
      ...now,
      ...Object.fromEntries(Object.keys(part).map((name) => [name, undefined])),
    }));
  };
  const length = fields.description.trim().length;

  const sending = useAction({
    act: async (suggestion: Suggestion) =>
      suggest(await browserClient(), memberId, {
        ...suggestion,
        language: chosenLanguage(fields.language, suggestion.description),
      }),
    done: {
      title: 'Suggestion submitted',
      text: 'Thank you. It will be listed once a moderator approves it.',
    },
    failed: (error) => ({
      id: 'suggestion',
      title: 'Error',
      text: isLimit(error) ? messageOf(error, failed) : failed,
    }),
    onDone: () => {
      clearDraft();
      onClose();
    },
    refresh: [['resources', 'waiting', memberId]],
  });
  const send = () => {
    if (sending.isPending) return;
    const checked = suggestionSchema.safeParse(fields);
    if (checked.success) {
      setErrors({});
      return sending.mutate(checked.data);
    }
    const fieldErrors = checked.error.issues.map(({ path, message }) => [String(path[0]), message] as const);
    // Of two problems of one field the first stands.
    setErrors(Object.fromEntries(fieldErrors.toReversed()));
    toast({ id: 'suggestion', tone: 'error', title: 'Validation error', text: fieldErrors[0]?.[1] });
  };

  return (
    <Dialog
      onClose={onClose}
      title="Suggest a resource"
      description="A moderator reviews every suggestion before it is listed."
      onSubmit={send}
      action={{ label: 'Submit suggestion', busy: sending.isPending && 'Submitting' }}
    >
      <div className="mt-5 flex flex-col gap-5">
        <Field label="Resource name" error={errors.resource_name}>
          <Input
            value={fields.resource_name}
            onChange={(event) => updateFields({ resource_name: event.target.value })}
          />
        </Field>
        <Field label="URL" hint="Full address, starting with https://" error={errors.resource_url}>
          <Input
            type="url"
            inputMode="url"
            autoComplete="off"
            value={fields.resource_url}
            onChange={(event) => updateFields({ resource_url: event.target.value })}
          />
        </Field>
        <LanguageField
          form={{ fields, change: updateFields }}
          text={fields.description}
          lineClassName=""
          label="Description"
          hint="In a sentence or two: what it is and who it helps."
          error={errors.description}
          note={
            <span className={length > MAX_DESCRIPTION_LENGTH ? 'font-bold text-red-ink' : undefined}>
              {length} / {MAX_DESCRIPTION_LENGTH}
            </span>
          }
        >
          <Textarea
            rows={4}
            value={fields.description}
            onChange={(event) => updateFields({ description: event.target.value })}
          />
        </LanguageField>
        <Field label="Category" error={errors.category}>
          <Select
            value={fields.category}
            onChange={(event) => updateFields({ category: event.target.value })}
          >
            <option value="">Choose one</option>
            {categories.map(({ name }) => (
              <option key={name} value={name}>
                {knownText(name)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
    </Dialog>
  );
}
