import type { Notice } from './letter.ts';

interface Words {
  /** Also the subject. */
  heading: string;
  text: string;
  button: string;
  /** Why it was sent, where that is no choice in the settings. */
  why?: string;
}

const yourRequest = {
  button: 'See how it stands',
  why: 'You get this because this address was given in a request on Limb Commons. If that was not you, ignore it: nothing else is sent, and the address is erased 30 days after the request is closed.',
};

/** Notices whose template is the same but for the words, by type. */
export const words: Record<string, (notice: Notice) => Words> = {
  takedown_request: ({ title }) => ({
    heading: 'Somebody asks for pictures of them to be removed',
    text: `It is about “${title}”. One click hides the pictures at once while you look into it; a decision is due within 24 hours.`,
    button: 'Open the request',
    why: 'You get this because you moderate Limb Commons. Requests like this reach every moderator.',
  }),
  takedown_requests: () => ({
    heading: 'More requests to remove pictures are waiting',
    text: 'Further requests have come in since the last alert. A decision on each is due within 24 hours.',
    button: 'Open the requests',
    why: 'You get this because you moderate Limb Commons. Within an hour of an alert, further requests are told of together.',
  }),
  takedown_received: () => ({
    heading: 'We have received your request',
    text: 'A moderator has been alerted. We decide within 24 hours and write to you again. Keep this e-mail to yourself: whoever has its link can see how your request stands.',
    ...yourRequest,
  }),
  takedown_hidden: () => ({
    heading: 'The pictures are hidden',
    text: 'Readers no longer see the pictures you told us about. We now look into your request and write to you again when it is decided.',
    ...yourRequest,
  }),
  takedown_removed: () => ({
    heading: 'The pictures have been removed',
    text: 'The pictures you told us about are no longer on the site, in any size. Copies in backups go when the backups are replaced.',
    ...yourRequest,
  }),
  takedown_kept: () => ({
    heading: 'We have decided on your request',
    text: 'The pictures stay on the site. This is why:',
    ...yourRequest,
  }),
  media_hidden: ({ title }) => ({
    heading: 'Pictures of your solution are hidden for now',
    text: `Somebody who says they are shown in “${title}” has asked for pictures to be removed. Readers do not see these until a moderator has decided.`,
    button: 'See your solution',
  }),
  media_removed: ({ title }) => ({
    heading: 'Pictures of your solution were removed',
    text: `A person shown in “${title}” asked for it, and a moderator agreed. The rest of the solution stays public.`,
    button: 'See your solution',
  }),
  media_restored: ({ title }) => ({
    heading: 'Pictures of your solution are shown again',
    text: `A moderator has decided that the pictures in “${title}” which were hidden on request can stay.`,
    button: 'See your solution',
  }),
  safety_notice: ({ title, actor }) => ({
    heading: `Safety notice: ${title}`,
    text: `${actor} has put a safety notice on a solution that you shared, liked or commented on. Please read it before you build on it.`,
    button: 'Read the notice',
  }),
};
