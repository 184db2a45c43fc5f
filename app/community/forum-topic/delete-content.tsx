import { deleteContent } from '#app/community/forum/data.ts';
import { messageOf } from '#app/errors.ts';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { browserClient } from '#app/supabase.ts';

interface DeleteContentProps {
  what: Parameters<typeof deleteContent>[1];
  /** Who wrote it, for a reply. */
  author?: string;
  onDeleted: () => unknown;
}

/** The key of the deletion of a topic, by which its page knows why it is missing. */
export const topicDeletion = (topic: string) => ['forum', 'delete topic', topic];

/** A moderator's delete button, with a confirmation. */
export function DeleteContent({ what, author, onDeleted }: DeleteContentProps) {
  const removal = useConfirmedAction({
    title: what.post ? 'Delete reply' : 'Delete topic',
    question: what.post
      ? 'Are you sure you want to delete this reply? This action cannot be undone.'
      : 'Are you sure you want to delete this topic and all of its replies? This action cannot be undone.',
    verb: 'Delete',
    busy: 'Deleting',
    ...(!what.post && { mutationKey: topicDeletion(what.topic) }),
    act: async () => deleteContent(await browserClient(), what),
    done: 'Content Deleted',
    failed: (error) => ({
      title: `Failed to delete content: ${messageOf(error, 'please try again')}`,
      text: undefined,
    }),
    onDone: onDeleted,
  });
  return (
    <>
      <button
        type="button"
        className="reach text-action in-data-compact:max-sm:px-2"
        onClick={() => removal.ask()}
      >
        <span className="icon icon-delete size-4" />
        <span className="in-data-compact:max-sm:sr-only">Delete</span>
        <span className="sr-only">{what.post ? ` reply by ${author}` : ' topic'}</span>
      </button>
      {removal.dialog}
    </>
  );
}
