import { useFields } from '#app/frame/act/use-fields.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field, keepFieldOnPress } from '#app/ui/controls/field.tsx';
import { Input } from '#app/ui/controls/input.tsx';
import { inviteMember } from './data.ts';

/** Invites one person by email. */
export function InviteForm() {
  const form = useFields(
    { email: '' },
    {
      problems: ({ email }) => ({
        email: /^\s*[^@\s]+@[^@\s]+\.[^@\s]+\s*$/.test(email)
          ? undefined
          : 'Enter an email address, such as name@example.org',
      }),
      act: async ({ email }) => inviteMember(await browserClient(), email),
      done: { title: 'Invitation sent', text: 'They have 30 days to sign up.' },
      failed: 'Failed to send the invitation',
      refresh: [['moderation', 'invitations']],
    },
  );
  return (
    <form
      method="dialog"
      noValidate
      aria-label="Invitation"
      onSubmit={form.submit}
      onMouseDown={keepFieldOnPress}
      className="mt-4 flex flex-wrap items-end gap-3"
    >
      <Field label="Email" error={form.errors.email} className="min-w-0 flex-1 basis-64">
        <Input {...form.register('email')} type="email" autoComplete="off" />
      </Field>
      <Button type="submit" busy={form.isPending && 'Sending'}>
        Send invitation
      </Button>
    </form>
  );
}
