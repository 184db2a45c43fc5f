import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { Input } from '#app/ui/controls/input.tsx';

/** A field for a password, with a button that shows what was typed. */
export function PasswordInput(props: ComponentProps<'input'>) {
  const [visible, setVisible] = useState(false);
  const Icon = visible ? EyeOff : Eye;
  return (
    <span className="relative block">
      <Input {...props} type={visible ? 'text' : 'password'} className="pe-12" />
      <button
        type="button"
        className="absolute top-0 end-0 flex size-11 items-center justify-center rounded-md text-ink-2 hover:text-ink"
        aria-pressed={visible}
        onClick={() => setVisible(!visible)}
      >
        <Icon className="size-5" strokeWidth={1.75} aria-hidden />
        <span className="sr-only">Show password</span>
      </button>
    </span>
  );
}
