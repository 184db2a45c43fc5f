import { lazy, memo, Suspense } from 'react';
import { classes } from './classes.ts';
import { embedOf } from './links.ts';
import { readerStays } from './reader-stays.ts';

export interface RichTextProps {
  text: string;
  /** Usernames that exist, so that @name leads to them. */
  mentions?: readonly string[];
  className?: string;
}

const load = () => import('./rich-text-body.tsx');
const BodyNow = lazy(load);
const BodyLater = lazy(() => readerStays().then(load));

const hasPlayer = (text: string) => text.match(/https?:\/\/\S+/g)?.some((url) => embedOf(url)) ?? false;

/**
 * A member's text with its formatting. A page comes with the text formatted, and the library that formats it is
 * loaded when the reader stays; only a player in the text needs it at once.
 */
export const RichText = memo(function RichText(props: RichTextProps) {
  const Body = hasPlayer(props.text) ? BodyNow : BodyLater;
  return (
    <Suspense
      fallback={
        <p className={classes('max-w-[66ch] whitespace-pre-wrap wrap-anywhere', props.className)}>
          {props.text}
        </p>
      }
    >
      <Body {...props} />
    </Suspense>
  );
});
