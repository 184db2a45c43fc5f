import { siteName, siteSettings } from '#app/site.ts';
import { cutText } from '../../../texts/cut-text.ts';
import type { ConversationCard, Message } from './data.ts';

const MAX_SUBJECT_LENGTH = 200;

/** The part of the address that stands for members who have left. */
export const FORMER_MEMBERS = 'unknown';

/** The state of a navigation to a conversation in which a message is to be written straight away. */
export const COMPOSING = 'composing';

/** The path of the conversation with a member, or with members who have left. */
export const conversationUrl = (otherId: string | null | undefined) =>
  `/messages/${otherId ?? FORMER_MEMBERS}`;

const PREFIX = 'Re: ';

/** The subject of the reply to a message; a reply to a reply has the same. */
export function replySubject(subject: string | null): string {
  const original = subject?.trim() || '(no subject)';
  const isReply = /^re:/i.test(original) || original.startsWith(PREFIX);
  return cutText(isReply ? original : PREFIX + original, MAX_SUBJECT_LENGTH);
}

/** The reply to a message, whichever of the two members wrote that. */
export function replyTo(message: Message, memberId: string, text: { content: string; language: string }) {
  const other = message.sender_id === memberId ? message.recipient_id : message.sender_id;
  if (!other) throw new Error(`The sender has left ${siteName()}`);
  return {
    sender_id: memberId,
    recipient_id: other,
    subject: replySubject(message.subject),
    content: text.content.trim(),
    language: text.language,
    solution_id: message.solution?.id ?? null,
  };
}

/** "Unknown" for a deleted member, whose conversation has the decisions of moderators who are not named as well. */
export function correspondent(person: Message['sender']): string {
  const unknown = siteSettings().names_moderators ? 'Unknown' : 'Moderators and former members';
  return person?.full_name ?? person?.username ?? unknown;
}

/** The latest message of a conversation on one line: "You: Bow: Which leather did you use?" */
export function previewOf({ sender_id, subject, content }: ConversationCard, memberId: string): string {
  const text = content.replaceAll(/\s+/g, ' ').trim();
  return `${sender_id === memberId ? 'You: ' : ''}${subject ? `${subject.trim()}: ` : ''}${text}`;
}
