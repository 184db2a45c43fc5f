import { Fragment } from 'react';
import { EXTERNAL_REL, safeLink } from './links.ts';

/** Punctuation after an address belongs to the sentence, and so does a bracket that the address does not open. */
const withoutSentenceEnd = (address: string): string => {
  const ended = address.replace(/[.,;:!?'"’”»]+$/, '');
  return ended.endsWith(')') && !ended.includes('(') ? withoutSentenceEnd(ended.slice(0, -1)) : ended;
};

/** A member's plain text, in which web addresses are links. */
export function LinkedText({ text }: { text: string }) {
  return text.split(/(https?:\/\/[^\s<>]+)/i).map((part, index) => {
    const address = index % 2 === 1 ? withoutSentenceEnd(part) : '';
    const href = address && safeLink(address);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <Fragment key={index}>
        {href ? (
          <>
            <a href={href} rel={EXTERNAL_REL} className="link">
              {address}
            </a>
            {part.slice(address.length)}
          </>
        ) : (
          part
        )}
      </Fragment>
    );
  });
}
