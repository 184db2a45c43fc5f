import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { messageOf } from '#app/errors.ts';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { asMember, useMember } from '#app/session.ts';
import { SolutionCard } from '#app/solution/cards/solution-card.tsx';
import { browserClient } from '#app/supabase.ts';
import { knownText } from '#app/ui/languages/known-text.ts';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { READING_LIST, type Saved, savedQuery, saveIn, setSaved } from './data.ts';

const SaveDialog = lazyDialog(() => import('./save-dialog.tsx'), 'SaveDialog');

interface Solution {
  id: string;
  title: string;
  safety_kind?: string | null;
}

const Saves = createContext<{ isSaved: (id: string) => boolean; toggle: (solution: Solution) => void }>({
  isSaved: () => false,
  toggle: () => undefined,
});

/** Saves a solution by one press, or takes it back; for the cards inside of CardSaves. */
export function CardSave({ solution }: { solution: Solution }) {
  const { isSaved, toggle } = useContext(Saves);
  const saved = isSaved(solution.id);
  return (
    <button
      type="button"
      id={`save-${solution.id}`}
      aria-pressed={saved}
      // With the heading of the card, whose text the document has once.
      aria-labelledby={`save-${solution.id} ${solution.id}`}
      className="card-save print:hidden"
      onClick={() => toggle(solution)}
    >
      <span className={saved ? 'icon icon-bookmark-full' : 'icon icon-bookmark'} />
      <span className="sr-only">Save</span>
    </button>
  );
}

/** The card of a published solution, which can be saved; inside of CardSaves. */
export const SavableCard = (props: Omit<ComponentProps<typeof SolutionCard>, 'to' | 'save'>) => (
  <SolutionCard
    {...props}
    to={`/solutions/${props.solution.id}`}
    save={<CardSave solution={props.solution} />}
  />
);

interface CardSavesProps {
  solutions: readonly Solution[];
  /** Whether the solutions are being asked for, and others may come: what is saved of them is asked once, afterwards. */
  isAsking?: boolean;
  children: ReactNode;
}

/** Knows which of these cards the member saved, by one request for all of them. */
export function CardSaves({ solutions, isAsking, children }: CardSavesProps) {
  const cache = useQueryClient();
  const member = useMember();
  const signInFirst = useRequireSignIn();
  const [choosing, setChoosing] = useState<Solution>();
  // A second press can come before the first has been answered.
  const busy = useRef(new Set<string>());
  const userId = member?.id ?? '';
  const own = savedQuery(
    browserClient,
    userId,
    solutions.map(({ id }) => id),
  );
  const saved = useQuery({
    ...own,
    enabled: member !== undefined && solutions.length > 0 && !isAsking,
    placeholderData: (before) => before,
  }).data;

  const queryKey = ['collections', 'saved', userId];
  const show = ({ id }: Solution, rows: Saved[]) =>
    cache.setQueriesData<Saved[]>(
      { queryKey },
      (before) => before && [...before.filter(({ solution_id }) => solution_id !== id), ...rows],
    );
  const mutationKey = ['save'];
  // Shown at once and taken back when it does not reach the server.
  const change = useMutation({
    mutationKey,
    // One after the other: the first makes the collection that the others are saved in.
    scope: { id: 'save' },
    mutationFn: ({ solution: { id: solutionId }, before }: { solution: Solution; before?: Saved }) =>
      asMember(async () => {
        const db = await browserClient();
        if (before)
          await setSaved(db, { userId, collectionId: before.collection_id, solutionId, saved: false });
        else await saveIn(db, userId, READING_LIST, solutionId);
      }),
    onMutate: async ({ solution, before }) => {
      await cache.cancelQueries({ queryKey });
      show(solution, before ? [] : [{ collection_id: '', solution_id: solution.id, note: null }]);
    },
    onSuccess: (_, { before }) =>
      toast({ tone: 'success', title: before ? 'No longer saved' : `Saved in “${knownText(READING_LIST)}”` }),
    onError: (error, { solution, before }) => {
      show(solution, before ? [before] : []);
      toast({ tone: 'error', title: 'Failed to save', text: messageOf(error, 'Please try again') });
    },
    onSettled: async (_data, _error, { solution }) => {
      busy.current.delete(solution.id);
      if (cache.isMutating({ mutationKey }) === 1)
        await cache.invalidateQueries({ queryKey: ['collections'] });
    },
  });

  const press = async (solution: Solution) => {
    busy.current.add(solution.id);
    try {
      // A press can come before the present state is known.
      const rows = await cache.ensureQueryData(own);
      const [before, ...others] = rows.filter(({ solution_id }) => solution_id === solution.id);
      // What more than one press made is not taken back by one.
      if (before && (before.note || others.length > 0)) {
        busy.current.delete(solution.id);
        setChoosing(solution);
      } else change.mutate({ solution, ...(before && { before }) });
    } catch (error) {
      busy.current.delete(solution.id);
      toast({ tone: 'error', title: 'Failed to save', text: messageOf(error, 'Please try again') });
    }
  };

  return (
    <Saves
      value={{
        isSaved: (id) => saved?.some(({ solution_id }) => solution_id === id) ?? false,
        toggle: (solution) => {
          if (!member) {
            signInFirst('Please sign in to save solutions');
          } else if (!busy.current.has(solution.id)) void press(solution);
        },
      }}
    >
      {children}
      {choosing && member && (
        <SaveDialog userId={member.id} solution={choosing} onClose={() => setChoosing(undefined)} />
      )}
    </Saves>
  );
}
