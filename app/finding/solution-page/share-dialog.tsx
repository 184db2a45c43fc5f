import { Mail, Share2 } from 'lucide-react';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { CopyLink } from '#app/ui/controls/copy-link.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';

/** Ways to pass a solution's address on; nothing of the other services is loaded before one is chosen. */
export function ShareDialog({ path, title, onClose }: { path: string; title: string; onClose: () => void }) {
  const url = new URL(path, location.href).href;
  const [address, name] = [encodeURIComponent(url), encodeURIComponent(title)];
  const services = [
    { label: 'LinkedIn', href: `https://www.linkedin.com/sharing/share-offsite/?url=${address}` },
    { label: 'WhatsApp', href: `https://wa.me/?text=${name}%20${address}` },
    { label: 'X', href: `https://x.com/intent/post?text=${name}&url=${address}` },
  ];
  return (
    <Dialog onClose={onClose} title="Share this solution" description={title}>
      <div className="mt-5">
        <CopyLink url={url} />
      </div>
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
