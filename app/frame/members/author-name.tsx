import { Link } from 'react-router';
import { classes } from '#app/ui/texts/classes.ts';
import type { Author } from './names.ts';

interface AuthorNameProps {
  author: Author | null;
  /** As `authorName` gives it. */
  name: string;
  className?: string;
}

/** The author's name, which leads to their page where they have one. */
export function AuthorName({ author, name, className }: AuthorNameProps) {
  const style = classes('font-bold wrap-anywhere', className);
  if (!author?.username) return <bdi className={style}>{name}</bdi>;
  return (
    <Link to={`/members/${author.username}`} className={classes(style, 'reach hover:underline')}>
      <bdi>{name}</bdi>
    </Link>
  );
}
