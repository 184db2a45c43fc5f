import type { Kind } from '#app/frame/kinds/kind.ts';

export const account = {
  acts: {
    role_granted: 'Role granted',
    role_removed: 'Role removed',
    member_warned: 'Member warned',
    member_suspended: 'Member suspended',
    member_banned: 'Member banned',
    sanction_lifted: 'Sanction lifted',
    account_deleted: 'Account deleted',
    account_disabled: 'Account disabled',
    account_enabled: 'Account enabled',
    second_step_removed: 'Second step removed',
    member_invited: 'Person invited',
    invitation_withdrawn: 'Invitation withdrawn',
  },
} satisfies Kind;
