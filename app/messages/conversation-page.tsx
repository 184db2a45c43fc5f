import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';
import { useFileUrl } from '#app/file-url.ts';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { pageTitle } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { Avatar } from '#app/ui/avatar.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import type { Route } from './+types/conversation-page.ts';
import { Conversation } from './conversation.tsx';
import { readMember } from './data.ts';
import { correspondent } from './reply.ts';

export const meta = () => [{ title: pageTitle('Conversation') }, { name: 'robots', content: 'noindex' }];

export default function ConversationPage({ params }: Route.ComponentProps) {
  const fileUrl = useFileUrl();
  const member = useRequiredMember();
  const other = useQuery({
    queryKey: ['members', params.memberId, 'name'],
    queryFn: async () => readMember(await browserClient(), params.memberId),
    enabled: member !== undefined,
  });
  const name = correspondent(other.data ?? null);
  return (
    <div className="page py-8 md:py-10">
      <div className="mx-auto max-w-[736px]">
        <Link
          to="/messages"
          className="reach inline-flex items-center gap-1.5 text-accent underline-offset-4 hover:underline"
        >
          <ArrowLeft className="size-4" strokeWidth={2} aria-hidden />
          Messages
        </Link>
        {member && !other.isPending ? (
          <>
            <div className="mt-4 flex items-center gap-4">
              <Avatar
                name={name}
                src={other.data?.avatar_url ? fileUrl(other.data.avatar_url) : null}
                size={56}
              />
              <h1 className="min-w-0 text-2xl wrap-anywhere">
                <span className="sr-only">Conversation with </span>
                {name}
              </h1>
            </div>
            <Conversation
              key={`${member.id} ${params.memberId}`}
              memberId={member.id}
              other={{ id: params.memberId, name }}
            />
          </>
        ) : (
          <Skeleton className="mt-4 h-96" />
        )}
      </div>
    </div>
  );
}
