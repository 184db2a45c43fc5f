import { useState } from 'react';
import { Button } from '#app/ui/controls/button.tsx';
import { lazyPart } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import type { PasswordFormProps } from './password-form.tsx';

const PasswordForm = lazyPart(
  () => import('./password-form.tsx'),
  'PasswordForm',
  <Skeleton className="h-64" />,
);

/** The change of a password, whose form opens on request. */
export function PasswordSettings({ userId, email, onDirtyChange }: Omit<PasswordFormProps, 'onClose'>) {
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen) return <Button onClick={() => setIsOpen(true)}>Change password</Button>;
  return (
    <PasswordForm
      userId={userId}
      email={email}
      onDirtyChange={onDirtyChange}
      onClose={() => {
        onDirtyChange(false);
        setIsOpen(false);
      }}
    />
  );
}
