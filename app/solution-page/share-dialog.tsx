import { Check, Copy, Mail, Share2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { buttonClass } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { Input } from '#app/ui/input.tsx';

/** Ways to pass a solution's address on; nothing of the other services is loaded before one is chosen. */
export function ShareDialog({ id, title, onClose }: { id: string; title: string; onClose: () => void }) {
  const [copied, setCopied] = useState<'done' | 'failed'>();
  const url = new URL(`/solutions/${id}`, location.href).href;
  const [address, name] = [encodeURIComponent(url), encodeURIComponent(title)];
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
  const services = [
    { label: 'LinkedIn', href: `https://www.linkedin.com/sharing/share-offsite/?url=${address}` },
    { label: 'WhatsApp', href: `https://wa.me/?text=${name}%20${address}` },
    { label: 'X', href: `https://x.com/intent/post?text=${name}&url=${address}` },
  ];
  return (
    <Dialog onClose={onClose} title="Share this solution" description={title}>
      <div className="mt-5 flex items-end gap-2">
        <Field label="Link" className="flex-1">
          {(control) => (
            <Input {...control} ref={field} readOnly value={url} onFocus={(event) => event.target.select()} />
          )}
        </Field>
        <button type="button" className={buttonClass('primary')} onClick={() => void copy()}>
          {copied === 'done' ? (
            <Check className="size-5" strokeWidth={1.75} aria-hidden />
          ) : (
            <Copy className="size-5" strokeWidth={1.75} aria-hidden />
          )}
          Copy link
        </button>
      </div>
      <p role="status" className="mt-2 text-sm text-ink-2">
        {copied === 'done' && 'Link copied'}
        {copied === 'failed' &&
          'Your browser didn’t allow this. The link is selected, so you can copy it yourself.'}
      </p>
      <div className="mt-4 grid grid-cols-2 gap-2 md:grid-cols-4">
        <a className={buttonClass()} href={`mailto:?subject=${name}&body=${address}`}>
          <Mail className="size-5" strokeWidth={1.75} aria-hidden />
          Email
        </a>
        {services.map(({ label, href }) => (
          <a key={label} className={buttonClass()} href={href} target="_blank" rel="noopener noreferrer">
            {label}
            <span className="sr-only">, opens in a new tab</span>
          </a>
        ))}
        {'share' in navigator && (
          <button
            type="button"
            className={buttonClass('default', 'normal', 'col-span-full')}
            onClick={() => void navigator.share({ title, url }).catch(() => {})}
          >
            <Share2 className="size-5" strokeWidth={1.75} aria-hidden />
            More ways to share
          </button>
        )}
      </div>
    </Dialog>
  );
}
