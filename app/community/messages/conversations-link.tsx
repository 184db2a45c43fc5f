import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';

/** Leads from a conversation back to the list, where it does not stand beside it. */
export function ConversationsLink() {
  return (
    <Link to="/messages" className="-ms-2 flex size-11 shrink-0 items-center justify-center lg:hidden">
      <ArrowLeft className="size-5" strokeWidth={1.75} aria-hidden />
      <span className="sr-only">All conversations</span>
    </Link>
  );
}
