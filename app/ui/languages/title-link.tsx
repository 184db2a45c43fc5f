import { Link } from 'react-router';
import { asWritten } from '#app/ui/languages/guess-language.ts';

interface TitleLinkProps {
  to: string;
  title: string;
  language?: string | null | undefined;
}

/** A link within a text to what a member gave a title, in the language of that. */
export const TitleLink = ({ to, title, language }: TitleLinkProps) => (
  <Link to={to} {...asWritten(title, language)} className="link wrap-anywhere">
    {title}
  </Link>
);
