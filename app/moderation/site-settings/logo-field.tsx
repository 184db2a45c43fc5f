import { useAction } from '#app/frame/act/use-action.ts';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { FileButton } from '#app/ui/controls/input.tsx';
import { saveSettings, uploadLogo } from './data.ts';

/** The logo of the site as it is, and buttons that change and remove it. @param logo its path; empty without one */
export function LogoField({ logo }: { logo: string }) {
  const fileUrl = useFileUrl();
  const userId = useMember()?.id ?? '';
  const changing = useAction({
    act: async (file: File | undefined) => {
      const db = await browserClient();
      await saveSettings(db, { logo_url: file ? await uploadLogo(db, userId, file) : '' });
    },
    done: (_, file) => ({
      title: file ? 'Logo changed' : 'Logo removed',
      text: 'Reload open pages to see it.',
    }),
    failed: 'Failed to change the logo',
    refresh: [['moderation', 'settings']],
  });
  const isUploading = changing.isPending && changing.variables !== undefined;
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-3">
      {logo && <img src={fileUrl(logo)} alt="Logo of the site" className="size-16" />}
      <div>
        <FileButton
          accept="image/jpeg,image/png,image/webp"
          disabled={changing.isPending}
          onChoose={([file]) => file && changing.mutate(file)}
        >
          {isUploading ? 'Uploading' : logo ? 'Change logo' : 'Upload logo'}
        </FileButton>
      </div>
      {logo && (
        <Button
          busy={changing.isPending && !isUploading && 'Removing'}
          onClick={() => !changing.isPending && changing.mutate(undefined)}
        >
          Remove logo
        </Button>
      )}
    </div>
  );
}
