import { Download } from 'lucide-react';
import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { downloadData } from './data.ts';

/** The export of a member's data. */
export function DownloadData() {
  const download = useAction({
    act: async () => {
      const address = URL.createObjectURL(await downloadData(await browserClient()));
      Object.assign(document.createElement('a'), { href: address, download: 'my-data.zip' }).click();
      // Only once the browser has begun to read it.
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    },
    failed: 'Error',
    fallback: 'Your data couldn’t be collected',
  });
  return (
    <>
      <p className="max-w-[66ch] text-ink-2">Your profile, posts, messages and files in one ZIP file.</p>
      <Button className="mt-3" busy={download.isPending && 'Collecting'} onClick={() => download.mutate()}>
        <Download className="size-5" strokeWidth={1.75} aria-hidden />
        Download my data
      </Button>
    </>
  );
}
