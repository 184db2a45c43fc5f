import { memo } from 'react';
import { readerStays } from '#app/ui/states/reader-stays.ts';
import { lazyPart } from '#app/ui/states/region.tsx';
import { embedOf } from './links.ts';
import { type RichTextProps, TextAsTyped } from './text-as-typed.tsx';

const asTyped = ({ mentions: _, ...text }: RichTextProps) => <TextAsTyped {...text} />;

const load = () => import('./rich-text-body.tsx');
const bodyPart = (loadBody: typeof load) =>
  lazyPart(loadBody, 'RichTextBody', asTyped, (_tryAgain, props) => asTyped(props));
const BodyNow = bodyPart(load);
const BodyLater = bodyPart(() => readerStays().then(load));

const hasPlayer = (text: string) => text.match(/https?:\/\/\S+/g)?.some((url) => embedOf(url)) ?? false;

/**
 * A member's text with its formatting. A page comes with the text formatted, and the library that formats it is
 * loaded when the reader stays; only a player in the text needs it at once. Without the library the text is
 * shown as it was typed.
 */
export const RichText = memo(function RichText(props: RichTextProps) {
  return hasPlayer(props.text) ? <BodyNow {...props} /> : <BodyLater {...props} />;
});
