import { AccountNotices } from '#app/account/sign-in/account-notices.tsx';
import { SanctionNotice } from '#app/frame/members/sanction-notice.tsx';
import { OutboxNotice } from '#app/sharing/submission/outbox-notice.tsx';
import { Region } from '#app/ui/states/region.tsx';

/** What a member is told on every page. Loaded for members alone, so that it costs visitors nothing. */
export function MemberNotices() {
  return (
    <>
      <Region className="page my-3">
        <OutboxNotice />
      </Region>
      <Region className="page my-3">
        <SanctionNotice />
      </Region>
      <Region className="page my-3">
        <AccountNotices />
      </Region>
    </>
  );
}
