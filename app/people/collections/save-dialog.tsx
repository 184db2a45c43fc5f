import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAction } from '#app/frame/act/use-action.ts';
import { warnedTitle } from '#app/solution/warnings/safety-notice-kinds.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Checkbox } from '#app/ui/controls/checkbox-radio.tsx';
import { Input } from '#app/ui/controls/input.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { chosenLanguage } from '#app/ui/languages/language-choice.tsx';
import { LanguageField } from '#app/ui/languages/language-field.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { createCollection, MAX_TITLE, ownMarksQuery, READING_LIST, setSaved } from './data.ts';

interface SaveDialogProps {
  userId: string;
  solution: { id: string; title: string; safety_kind?: string | null };
  onClose: () => void;
}

/** The member's collections, with those ticked that have the solution, and a field for a new one. */
export function SaveDialog({ userId, solution, onClose }: SaveDialogProps) {
  const own = useQuery(ownMarksQuery(browserClient, userId, solution.id));
  const [title, setTitle] = useState<string>();
  const [isTried, setIsTried] = useState(false);
  const [language, setLanguage] = useState('');
  const typed = title ?? (own.data?.collections.length === 0 ? READING_LIST : '');
  const acting = useAction({
    act: ({ work }: { what: string; work: () => Promise<void> }) => work(),
    failed: 'Failed to save',
    fallback: 'Please try again',
    refresh: [['collections']],
  });
  const runAction = (what: string, work: () => Promise<void>) =>
    acting.isPending || acting.mutate({ what, work });
  const choose = (collectionId: string, saved: boolean) =>
    void runAction(collectionId, async () =>
      setSaved(await browserClient(), { userId, collectionId, solutionId: solution.id, saved }),
    );
  const create = () => {
    setIsTried(!typed.trim());
    if (!typed.trim()) return;
    void runAction('new', async () => {
      const db = await browserClient();
      const collectionId = await createCollection(db, userId, {
        title: typed.trim(),
        language: chosenLanguage(language, typed),
      });
      await setSaved(db, { userId, collectionId, solutionId: solution.id, saved: true });
      setTitle('');
      setLanguage('');
    });
  };
  return (
    <Dialog
      onClose={onClose}
      title="Save to a collection"
      description={warnedTitle(solution.safety_kind, solution.title)}
      onSubmit={create}
      actions={
        <>
          <Link to="/saved" className="link self-center">
            View saved
          </Link>
          <Button onClick={onClose}>Done</Button>
        </>
      }
    >
      <div className="mt-5">
        {own.isError ? (
          <LoadFailed title="Failed to load your collections" onRetry={() => void own.refetch()} />
        ) : own.isPending ? (
          <Skeleton className="h-11" />
        ) : (
          own.data.collections.length > 0 && (
            <fieldset className="max-h-60 overflow-y-auto">
              <legend className="font-bold">Your collections</legend>
              {own.data.collections.map((collection) => (
                <Checkbox
                  key={collection.id}
                  checked={collection.hasSolution}
                  onChange={({ target }) => choose(collection.id, target.checked)}
                >
                  <bdi {...asWritten(collection.title, collection.language)} className="wrap-anywhere">
                    {collection.title}
                  </bdi>
                </Checkbox>
              ))}
            </fieldset>
          )
        )}
      </div>
      <div className="mt-5 flex flex-wrap items-end gap-3">
        <LanguageField
          form={{ fields: { language }, change: (part) => setLanguage(part.language) }}
          text={typed}
          lineClassName="w-full sm:order-1"
          label="New collection"
          hint="Only you can see it until you share its link."
          error={isTried && !typed.trim() ? 'Please enter a title' : undefined}
          className="min-w-48 flex-1"
        >
          <Input value={typed} maxLength={MAX_TITLE} onChange={(event) => setTitle(event.target.value)} />
        </LanguageField>
        <Button
          type="submit"
          variant="primary"
          busy={acting.isPending && acting.variables.what === 'new' && 'Creating'}
        >
          Create and save
        </Button>
      </div>
    </Dialog>
  );
}
