import { Check, Copy } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

/** An address with a button that copies it; where the browser does not allow that, it is left selected. */
export function CopyLink({ url }: { url: string }) {
  const [copied, setCopied] = useState<'done' | 'failed'>();
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
    } catch {
      // Without a secure address, or with the permission denied, browsers copy only what is selected.
      field.current?.select();
      if (!document.execCommand('copy')) return setCopied('failed');
    }
    setCopied('done');
  };
  const Icon = copied === 'done' ? Check : Copy;
  return (
    <>
      <div className="flex items-end gap-2">
        <Field label="Link" className="min-w-0 flex-1">
          <Input ref={field} readOnly value={url} onFocus={(event) => event.target.select()} />
        </Field>
        <Button variant="primary" onClick={() => void copy()}>
          <Icon className="size-5" strokeWidth={1.75} aria-hidden />
          Copy link
        </Button>
      </div>
      <p role="status" className="mt-2 text-sm text-ink-2">
        {copied === 'done' && 'Link copied'}
        {copied === 'failed' &&
          'Your browser didn’t allow this. The link is selected, so you can copy it yourself.'}
      </p>
    </>
  );
}

interface CopyButtonProps {
  text: string;
  label: string;
  /** Shows the text, and is selected where the browser does not allow a copy. */
  shown: RefObject<HTMLElement | null>;
}

/** Copies a text that stands beside it. */
export function CopyButton({ text, label, shown }: CopyButtonProps) {
  const [result, setResult] = useState<string>();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setResult('Copied');
    } catch {
      // Without a secure address browsers have no clipboard, and it can be forbidden.
      if (shown.current) getSelection()?.selectAllChildren(shown.current);
      setResult('Your browser didn’t allow this. It is selected, so you can copy it yourself.');
    }
  };
  return (
    <>
      <Button size="small" onClick={() => void copy()}>
        <Copy className="size-4" strokeWidth={2} aria-hidden />
        {label}
      </Button>
      <span role="status" className="text-sm text-ink-2">
        {result}
      </span>
    </>
  );
}
