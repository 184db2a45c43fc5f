import { memo } from 'react';
import { classes } from './classes.ts';
import { embedOf } from './links.ts';
import { readerStays } from './reader-stays.ts';
import { lazyPart } from './region.tsx';
import type { RichTextProps } from './rich-text-body.tsx';

const asTyped = ({ text, className }: RichTextProps) => (
  <p className={classes('max-w-[66ch] whitespace-pre-wrap wrap-anywhere', className)}>{text}</p>
);

const load = () => import('./rich-text-body.tsx').then((module) => module.RichTextBody);
const BodyNow = lazyPart<RichTextProps>(load, asTyped, (_tryAgain, props) => asTyped(props));
const BodyLater = lazyPart<RichTextProps>(
  () => readerStays().then(load),
  asTyped,
  (_tryAgain, props) => asTyped(props),
);

const hasPlayer = (text: string) => text.match(/https?:\/\/\S+/g)?.some((url) => embedOf(url)) ?? false;

/**
 * A member's text with its formatting. A page comes with the text formatted, and the library that formats it is
 * loaded when the reader stays; only a player in the text needs it at once. Without the library the text is
 * shown as it was typed.
 */
export const RichText = memo(function RichText(props: RichTextProps) {
  return hasPlayer(props.text) ? <BodyNow {...props} /> : <BodyLater {...props} />;
});
