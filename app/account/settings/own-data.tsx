import { Download } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { downloadData } from './data.ts';

/** The export of a member's data. */
export function DownloadData() {
  const [collecting, setCollecting] = useState(false);
  const download = async () => {
    setCollecting(true);
    try {
      const address = URL.createObjectURL(await downloadData(await browserClient()));
      Object.assign(document.createElement('a'), { href: address, download: 'my-data.zip' }).click();
      // Only once the browser has begun to read it.
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    } catch (error) {
      toast({ tone: 'error', title: 'Error', text: messageOf(error, 'Your data couldn’t be collected') });
    }
    setCollecting(false);
  };
  return (
    <>
      <p className="max-w-[66ch] text-ink-2">Your profile, posts, messages and files in one ZIP file.</p>
      <Button className="mt-3" busy={collecting && 'Collecting'} onClick={() => void download()}>
        <Download className="size-5" strokeWidth={1.75} aria-hidden />
        Download my data
      </Button>
    </>
  );
}
