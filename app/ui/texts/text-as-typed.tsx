import { classes } from './classes.ts';

export interface RichTextProps {
  text: string;
  /** Usernames that exist, so that @name leads to them. */
  mentions?: readonly string[];
  className?: string | undefined;
}

/** A member's text without its formatting. */
export const TextAsTyped = ({ text, className }: Omit<RichTextProps, 'mentions'>) => (
  <p dir="auto" className={classes('max-w-[66ch] whitespace-pre-wrap wrap-anywhere', className)}>
    {text}
  </p>
);
