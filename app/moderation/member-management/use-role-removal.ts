import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { browserClient } from '#app/supabase.ts';
import { removeModerator } from './data.ts';

/** Takes the role from a moderator, by an admin or by their own wish, after a question. */
export const useRoleRemoval = (memberId: string, question: string) =>
  useConfirmedAction({
    title: 'Remove Moderator Role',
    question,
    verb: 'Remove role',
    busy: 'Removing',
    act: async () => removeModerator(await browserClient(), memberId),
    done: 'Moderator role removed',
    failed: 'Failed to remove moderator role',
    refresh: [
      ['moderation', 'members'],
      ['viewer', memberId],
    ],
  });
