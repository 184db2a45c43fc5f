import { useSearchParams } from 'react-router';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { useViewer } from '#app/session.ts';
import { pageTitle } from '#app/site.ts';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { TabPanel, Tabs } from '#app/ui/tabs.tsx';
import { MessageList } from './message-list.tsx';

export const meta = () => [{ title: pageTitle('Messages') }, { name: 'robots', content: 'noindex' }];

const boxes = [
  { value: 'inbox', label: 'Inbox' },
  { value: 'sent', label: 'Sent' },
] as const;

export default function MessagesPage() {
  const member = useRequiredMember();
  const viewer = useViewer();
  const [params, setParams] = useSearchParams();
  const box = params.get('box') === 'sent' ? 'sent' : 'inbox';
  const unread = viewer?.unreadMessages;
  return (
    <div className="page py-8 md:py-10">
      <div className="mx-auto max-w-[896px]">
        <h1 className="text-2xl md:text-3xl">Messages</h1>
        <h2 className="mt-1 mb-5 min-h-6 text-base font-normal text-ink-2" aria-live="polite">
          {unread === undefined
            ? ''
            : unread > 0
              ? `You have ${unread} unread ${unread === 1 ? 'message' : 'messages'}`
              : 'All caught up!'}
        </h2>
        {member ? (
          <Tabs
            label="Messages received and sent"
            value={box}
            onChange={(next) =>
              setParams(next === 'sent' ? { box: 'sent' } : {}, { preventScrollReset: true })
            }
            tabs={boxes}
          >
            <TabPanel value={box}>
              <MessageList key={`${member.id} ${box}`} memberId={member.id} box={box} />
            </TabPanel>
          </Tabs>
        ) : (
          <Skeleton className="h-96" />
        )}
      </div>
    </div>
  );
}
