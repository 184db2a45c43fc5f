import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { AddImages } from '#app/community/post-images/add-images.tsx';
import type { ChosenImages } from '#app/community/post-images/image-fields.tsx';
import { useAction } from '#app/frame/act/use-action.ts';
import { useLocalDraft } from '#app/frame/act/use-local-draft.ts';
import { HELD } from '#app/frame/held-posts/data.ts';
import { browserClient } from '#app/supabase.ts';
import { Field } from '#app/ui/controls/field.tsx';
import { Input, Options, Select } from '#app/ui/controls/input.tsx';
import { chosenLanguage, LanguageChoice } from '#app/ui/languages/language-choice.tsx';
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

/** Opens a topic, or edits one of the member's own. */
export function TopicDialog({ memberId, topic, save, category, onClose }: TopicDialogProps) {
  const navigate = useNavigate();
  const { fields, change, clearDraft } = useLocalDraft(topic ? `edit-topic-${topic.id}` : 'new-topic', {
    title: topic?.title ?? '',
    description: topic?.description ?? '',
    category: topic?.category ?? '',
    language: topic?.language ?? '',
  });
  const written = `${fields.title}\n${fields.description}`;
  const chosen = fields.category || category || 'general';
  const [isTried, setIsTried] = useState(false);
  const images = useRef<ChosenImages>(null);
  const failed = topic ? 'Failed to save topic' : 'Failed to create topic';

  const sending = useAction({
    act: async () => {
      const db = await browserClient();
      const text = {
        title: fields.title.trim(),
        description: fields.description.trim() || null,
        category: chosen,
        language: chosenLanguage(fields.language, written),
      };
      if (!topic) return createTopic(db, { ...text, user_id: memberId, ...(await images.current?.send(db)) });
      await (save ? save(text) : updateTopic(db, topic.id, text));
      return topic.id;
    },
    done: (id) =>
      id
        ? { title: 'Success', text: topic ? 'Topic saved successfully' : 'Topic created successfully' }
        : HELD,
    failed,
    onDone: async (id) => {
      clearDraft();
      onClose();
      if (!topic && id) await navigate(`/forum/${id}`);
    },
    refresh: [['forum', 'topics'], ['forum', 'topic', topic?.id], ['held-posts']],
  });
  const title = fields.title.trim() ? undefined : 'Please enter a topic title';
  const description = formattingProblem(fields.description);
  const send = () => {
    setIsTried(true);
    if (!title && !description && (images.current?.check() ?? true)) sending.mutate();
  };

  return (
    <Dialog
      onClose={onClose}
      title={topic ? 'Edit topic' : 'New Topic'}
      onSubmit={send}
      action={{ label: topic ? 'Save' : 'Create topic', busy: sending.isPending && 'Sending' }}
    >
      <div className="mt-5 flex flex-col gap-5">
        <Field label="Title" error={isTried ? title : undefined}>
          <Input
            maxLength={MAX_TITLE_LENGTH}
            value={fields.title}
            onChange={(event) => change({ title: event.target.value })}
          />
        </Field>
        <Field label="Category">
          <Select value={chosen} onChange={(event) => change({ category: event.target.value })}>
            <Options of={categories} />
          </Select>
        </Field>
        <Field
          label="Description"
          error={isTried ? description : undefined}
          hint="Say what you tried, with measurements. Leave out anything that could identify a patient."
        >
          <RichTextField
            rows={7}
            maxLength={MAX_TEXT_LENGTH}
            value={fields.description}
            language={chosenLanguage(fields.language, written)}
            onChange={(description) => change({ description })}
          />
        </Field>
        <LanguageChoice
          text={written}
          chosen={fields.language}
          onChange={(language) => change({ language })}
          className="-mt-4"
        />
        {!topic && <AddImages userId={memberId} chosen={images} className="-mt-2" />}
      </div>
    </Dialog>
  );
}
