import type { Message } from './data.ts';

const MAX_SUBJECT_LENGTH = 200;

/** The subject of the reply to a message. */
export function replySubject(subject: string | null): string {
  return [...`Re: ${subject?.trim() || '(no subject)'}`].slice(0, MAX_SUBJECT_LENGTH).join('');
}

/** The reply to a message, whichever of the two members wrote that. */
export function replyTo(message: Message, memberId: string, content: string) {
  const other = message.sender_id === memberId ? message.recipient_id : message.sender_id;
  if (!other) throw new Error('Whoever sent this message has left');
  return {
    sender_id: memberId,
    recipient_id: other,
    subject: replySubject(message.subject),
    content: content.trim(),
    solution_id: message.solution?.id ?? null,
  };
}

/** "Unknown" for a deleted member. */
export function correspondent(person: Message['sender']): string {
  return person?.full_name ?? person?.username ?? 'Unknown';
}
