import { describe, expect, it } from 'vitest';
import type { Message } from './data.ts';
import { conversationUrl, correspondent, previewOf, replySubject, replyTo } from './reply.ts';

const message: Message = {
  id: 'm1',
  sender_id: 'ben',
  recipient_id: 'amara',
  subject: 'Bow',
  language: 'en',
  content: 'Hello',
  notification_type: 'message',
  read: false,
  created_at: '2026-11-01T10:00:00Z',
  sender: null,
  recipient: null,
  solution: { safety_kind: null, id: 's1', title: 'A bow' },
};

describe('a reply', () => {
  it.each([
    ['Bow', 'Re: Bow'],
    ['Re: Bow', 'Re: Bow'],
    ['RE: Bow', 'RE: Bow'],
    ['Regarding the bow', 'Re: Regarding the bow'],
    [null, 'Re: (no subject)'],
    ['  ', 'Re: (no subject)'],
    ['x'.repeat(200), `Re: ${'x'.repeat(196)}`],
    ['👣'.repeat(200), `Re: ${'👣'.repeat(196)}`],
  ])('to the subject %j is called %j', (subject, expected) => {
    expect(replySubject(subject)).toBe(expected);
  });

  it('goes to the other of the two, about the same solution, trimmed', () => {
    expect(replyTo(message, 'amara', { content: ' Thanks \n', language: 'nl' })).toEqual({
      sender_id: 'amara',
      recipient_id: 'ben',
      subject: 'Re: Bow',
      content: 'Thanks',
      language: 'nl',
      solution_id: 's1',
    });
    expect(replyTo({ ...message, solution: null }, 'ben', { content: 'And?', language: 'en' })).toMatchObject(
      {
        recipient_id: 'amara',
        solution_id: null,
      },
    );
    expect(() =>
      replyTo({ ...message, sender_id: null }, 'amara', { content: 'Hello?', language: 'en' }),
    ).toThrow('has left');
  });
});

describe('a correspondent', () => {
  it('is called by name, else by username, else unknown', () => {
    const ben = {
      id: 'ben',
      username: 'ben.ito',
      full_name: 'Ben Ito',
      profession: null,
      avatar_url: null,
      registration_level: null,
      registration_register: null,
      registration_checked_on: null,
    };
    expect(correspondent(ben)).toBe('Ben Ito');
    expect(correspondent({ ...ben, full_name: null })).toBe('ben.ito');
    expect(correspondent(null)).toBe('Unknown');
  });
});

describe('a conversation', () => {
  const latest = {
    other: null,
    unread: 0,
    id: 'm1',
    sender_id: 'amara',
    subject: 'Bow',
    content: 'Which\n\nleather?',
    language: null,
    created_at: '2026-11-01T10:00:00Z',
  };

  it('is shown by its latest message, on one line, with who wrote it and its subject', () => {
    expect(previewOf(latest, 'amara')).toBe('You: Bow: Which leather?');
    expect(previewOf({ ...latest, subject: null }, 'ben')).toBe('Which leather?');
  });

  it('has an address also with members who have left', () => {
    expect(conversationUrl('ben')).toBe('/messages/ben');
    expect(conversationUrl(null)).toBe('/messages/unknown');
  });
});
