import { useEffect, useState } from 'react';
import { siteName } from '#app/site.ts';

/** The address of a printed page, as text and as a QR code; for paths that have one. */
export function PrintedAddress({ path }: { path: string }) {
  const [origin, setOrigin] = useState('');
  useEffect(() => setOrigin(location.origin), []);
  return (
    <div className="mb-6 hidden items-center justify-between gap-6 border-b pb-4 print:flex">
      <p>
        <span className="block font-bold">{siteName()}</span>
        <span className="block text-sm wrap-anywhere">{origin + path}</span>
      </p>
      <img
        src={`${path}/qr.svg`}
        alt="QR code that opens this page"
        width={112}
        height={112}
        // Read at once it would delay the first paint, as a document of its own.
        loading={origin ? 'eager' : 'lazy'}
        fetchPriority="low"
      />
    </div>
  );
}
