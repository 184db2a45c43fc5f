import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { AddImages } from '#app/community/post-images/add-images.tsx';
import type { ChosenImages } from '#app/community/post-images/image-fields.tsx';
import { useFields } from '#app/frame/act/use-fields.ts';
import { HELD } from '#app/frame/held-posts/data.ts';
import { browserClient } from '#app/supabase.ts';
import { Field } from '#app/ui/controls/field.tsx';
import { Input, Options, Select } from '#app/ui/controls/input.tsx';
import { chosenLanguage } from '#app/ui/languages/language-choice.tsx';
import { LanguageField } from '#app/ui/languages/language-field.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { formattingProblem } from '#app/ui/texts/formatting.ts';
import { categories, MAX_TEXT_LENGTH, MAX_TITLE_LENGTH } from './categories.ts';
import { createTopic, type TopicText, updateTopic } from './data.ts';
import { RichTextField } from './rich-text-field.tsx';

interface TopicDialogProps {
  memberId: string;
  /** The topic whose text is edited; left out for a new topic. */
  topic?: TopicText & { id: string };
  /** Saves that text where the topic waits for review. */
  save?: (text: TopicText) => Promise<void>;
  /** The category preselected for a new topic. */
  category?: string | null;
  onClose: () => void;
}

const textOf = ({ title, description }: { title: string; description: string }) => `${title}\n${description}`;

/** Opens a topic, or edits one of the member's own. */
export function TopicDialog({ memberId, topic, save, category, onClose }: TopicDialogProps) {
  const navigate = useNavigate();
  const images = useRef<ChosenImages>(null);
  const preselected = category || 'general';
  const form = useFields(
    {
      title: topic?.title ?? '',
      description: topic?.description ?? '',
      category: topic?.category ?? '',
      language: topic?.language ?? '',
    },
    {
      draft: topic ? `edit-topic-${topic.id}` : 'new-topic',
      problems: ({ title, description }) => ({
        title: title.trim() ? undefined : 'Please enter a topic title',
        description: formattingProblem(description),
      }),
      mayAct: () => images.current?.check() ?? true,
      act: async (typed) => {
        const db = await browserClient();
        const text = {
          title: typed.title.trim(),
          description: typed.description.trim() || null,
          category: typed.category || preselected,
          language: chosenLanguage(typed.language, textOf(typed)),
        };
        if (!topic)
          return createTopic(db, { ...text, user_id: memberId, ...(await images.current?.send(db)) });
        await (save ? save(text) : updateTopic(db, topic.id, text));
        return topic.id;
      },
      done: (id) =>
        id
          ? { title: 'Success', text: topic ? 'Topic saved successfully' : 'Topic created successfully' }
          : HELD,
      failed: topic ? 'Failed to save topic' : 'Failed to create topic',
      onDone: async (id) => {
        onClose();
        if (!topic && id) await navigate(`/forum/${id}`);
      },
      refresh: [['forum', 'topics'], ['forum', 'topic', topic?.id], ['held-posts']],
    },
  );
  const { fields, errors, register } = form;
  const text = textOf(fields);
  return (
    <Dialog
      onClose={onClose}
      title={topic ? 'Edit topic' : 'New Topic'}
      onSubmit={form.submit}
      action={{ label: topic ? 'Save' : 'Create topic', busy: form.isPending && 'Sending' }}
    >
      <div className="mt-5 flex flex-col gap-5">
        <Field label="Title" error={errors.title}>
          <Input {...register('title')} maxLength={MAX_TITLE_LENGTH} />
        </Field>
        <Field label="Category">
          <Select {...register('category')} value={fields.category || preselected}>
            <Options of={categories} />
          </Select>
        </Field>
        <LanguageField
          form={form}
          text={text}
          label="Description"
          error={errors.description}
          hint="Say what you tried, with measurements. Leave out anything that could identify a patient."
          lineClassName="-mt-4"
        >
          <RichTextField
            {...register('description')}
            rows={7}
            maxLength={MAX_TEXT_LENGTH}
            language={chosenLanguage(fields.language, text)}
          />
        </LanguageField>
        {!topic && <AddImages userId={memberId} chosen={images} className="-mt-2" />}
      </div>
    </Dialog>
  );
}
