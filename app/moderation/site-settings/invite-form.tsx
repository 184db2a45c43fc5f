import { useRef, useState } from 'react';
import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field, keepFieldOnPress } from '#app/ui/controls/field.tsx';
import { Input } from '#app/ui/controls/input.tsx';
import { inviteMember } from './data.ts';

/** Invites one person by email. */
export function InviteForm() {
  const [email, setEmail] = useState('');
  const [isTried, setIsTried] = useState(false);
  const isAddress = /^\s*[^@\s]+@[^@\s]+\.[^@\s]+\s*$/.test(email);
  const box = useRef<HTMLInputElement>(null);
  const inviting = useAction({
    act: async () => inviteMember(await browserClient(), email),
    done: { title: 'Invitation sent', text: 'They have 30 days to sign up.' },
    failed: 'Failed to send the invitation',
    onDone: () => setEmail(''),
    refresh: [['moderation', 'invitations']],
  });
  const submit = () => {
    if (inviting.isPending) return;
    setIsTried(!isAddress);
    if (isAddress) inviting.mutate();
    else box.current?.focus();
  };
  return (
    <form
      method="dialog"
      noValidate
      aria-label="Invitation"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onMouseDown={keepFieldOnPress}
      className="mt-4 flex flex-wrap items-end gap-3"
    >
      <Field
        label="Email"
        error={isTried && !isAddress ? 'Enter an email address, such as name@example.org' : undefined}
        className="min-w-0 flex-1 basis-64"
      >
        <Input
          ref={box}
          type="email"
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <Button type="submit" busy={inviting.isPending && 'Sending'}>
        Send invitation
      </Button>
    </form>
  );
}
