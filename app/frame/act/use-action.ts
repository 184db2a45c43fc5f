import { type QueryKey, type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { messageOf } from '#app/errors.ts';
import { asMember } from '#app/session.ts';
import { takeBack, toast } from '#app/ui/surfaces/toast.tsx';
import type { Message } from '#app/ui/surfaces/toaster.tsx';

/** What a toast says: its title, or more of it. */
export type Saying = string | (Partial<Message> & Pick<Message, 'title'>);

export interface ActionOptions<Result, Input>
  extends Pick<UseMutationOptions<Result, Error, Input>, 'scope' | 'mutationKey'> {
  act: (input: Input) => Promise<Result>;
  done?: Saying | ((result: Result, input: Input) => Saying);
  failed: Saying | ((error: Error, input: Input) => Saying);
  /** Stands under the title of a failure whose error has no sentence for the reader. */
  fallback?: string;
  onDone?: (result: Result, input: Input) => unknown;
  /** What the keys of the queries that are read again afterwards begin with, one after the other. */
  refresh?: QueryKey[];
}

/** @returns the id of the toast */
function say(saying: Saying, usual: Pick<Message, 'tone' | 'text'>): string {
  const message = { ...usual, ...(typeof saying === 'string' ? { title: saying } : saying) };
  toast(message);
  return message.id ?? message.title;
}

/** Says a failure by the sentence of its error alone, or by the one given. */
export const reasonOr = (title: string) => (error: Error) => ({
  title: messageOf(error, title),
  text: undefined,
});

/** A change of what is stored; a toast says what came of it, and the queries that show it are asked again. */
export function useAction<Result, Input = void>({
  act,
  done,
  failed,
  fallback = '',
  onDone,
  refresh = [],
  ...options
}: ActionOptions<Result, Input>) {
  const cache = useQueryClient();
  const failure = useRef<string>(undefined);
  const readAgain = async () => {
    for (const queryKey of refresh) {
      // A first answer that is still on its way may be of before the change, and would be taken for the new one.
      await cache.cancelQueries({ queryKey });
      await cache.invalidateQueries({ queryKey });
    }
  };
  return useMutation({
    ...options,
    mutationFn: (input: Input) => asMember(() => act(input)),
    onSuccess: (result, input) => {
      if (failure.current) takeBack(failure.current);
      if (done) say(typeof done === 'function' ? done(result, input) : done, { tone: 'success' });
      return onDone?.(result, input);
    },
    onError: (error, input) => {
      failure.current = say(typeof failed === 'function' ? failed(error, input) : failed, {
        tone: 'error',
        text: messageOf(error, fallback),
      });
    },
    onSettled: async (_result, error) => {
      const reading = readAgain();
      // After a failure the next try need not wait for an answer, which may never come without a connection.
      if (!error) await reading;
    },
  });
}
