import { textLanguage } from '#app/ui/languages/languages.ts';
import { classes } from './classes.ts';

export interface RichTextProps {
  text: string;
  language: string;
  /** Usernames that exist, so that @name leads to them. */
  mentions?: readonly string[];
  className?: string | undefined;
}

/** A member's text without its formatting. */
export const TextAsTyped = ({ text, language, className }: Omit<RichTextProps, 'mentions'>) => (
  <p
    {...textLanguage(language)}
    className={classes('max-w-[66ch] whitespace-pre-wrap wrap-anywhere', className)}
  >
    {text}
  </p>
);
