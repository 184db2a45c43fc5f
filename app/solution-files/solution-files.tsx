import { FileText } from 'lucide-react';
import { useState } from 'react';
import { countDownload, downloadUrl, factsText, type ShownFile } from '#app/build-files/build-file.ts';
import { fileKinds, licences, sizeText } from '#app/build-files/kinds.ts';
import { useFileUrl } from '#app/file-url.ts';
import { browserClient } from '#app/supabase.ts';
import { Button, buttonClass } from '#app/ui/button.tsx';
import { Picture } from '#app/ui/picture.tsx';
import { lazyDialog } from '#app/ui/region.tsx';

const PageViewer = lazyDialog(() => import('./page-viewer.tsx').then((module) => module.PageViewer));

/** The build files of a solution: each can be looked at here, and downloaded under its licence. */
export function SolutionFiles({ files }: { files: ShownFile[] }) {
  const [read, setRead] = useState<ShownFile>();
  if (files.length === 0) return null;
  return (
    <section className="mt-8 md:mt-10" aria-labelledby="build-files">
      <h2 id="build-files" className="mb-2 text-xl">
        Build Files
      </h2>
      <p className="max-w-[66ch] text-ink-2">
        Check every file against the person you build for: a socket that fits one limb can harm another.
      </p>
      <ul className="mt-2 divide-y">
        {files.map((file) => (
          <li key={file.id} className="py-5">
            <File file={file} onRead={() => setRead(file)} />
          </li>
        ))}
      </ul>
      {read && <PageViewer file={read} onClose={() => setRead(undefined)} />}
    </section>
  );
}

function File({ file, onRead }: { file: ShownFile; onRead: () => void }) {
  const fileUrl = useFileUrl();
  const licence = licences.find(({ name }) => name === file.licence);
  const facts = [fileKinds[file.file_type] ?? file.file_type, factsText(file), sizeText(file.byte_size)];
  const count = () => {
    // A download is not held up by its count.
    void browserClient()
      .then((db) => countDownload(db, file.id))
      .catch((error: unknown) => console.warn('downloads:', error));
  };
  return (
    <div className="flex items-start gap-4">
      <div className="flex h-24 w-20 shrink-0 items-center justify-center overflow-hidden rounded-md border bg-surface md:h-32 md:w-28">
        {file.picture_url ? (
          <Picture
            src={fileUrl(file.picture_url)}
            alt=""
            width={112}
            height={128}
            loading="lazy"
            className="size-full object-contain"
          />
        ) : (
          <FileText className="size-8 text-ink-3" strokeWidth={1.5} aria-hidden />
        )}
      </div>
      <div className="min-w-0 flex-1">
        <h3 className="font-title wrap-anywhere">
          <bdi>{file.file_name}</bdi>
        </h3>
        <p className="text-sm text-ink-2">{facts.filter(Boolean).join(' · ')}</p>
        {file.description && (
          <p dir="auto" className="mt-1.5 max-w-[66ch] wrap-anywhere">
            {file.description}
          </p>
        )}
        <p className="mt-1.5 text-sm text-ink-2">
          Licence:{' '}
          {licence ? (
            <a href={licence.url} rel="license noopener noreferrer" className="link" title={licence.says}>
              {licence.name}
            </a>
          ) : (
            file.licence
          )}
          {file.downloads > 0 && ` · downloaded ${file.downloads === 1 ? 'once' : `${file.downloads} times`}`}
        </p>
        <div className="mt-3 flex flex-wrap gap-2.5 print:hidden">
          {file.file_type === 'pdf' && (
            <Button size="small" onClick={onRead}>
              <span className="icon icon-enlarge" />
              Read pages<span className="sr-only"> of {file.file_name}</span>
            </Button>
          )}
          <a
            href={downloadUrl(fileUrl(file.file_url), file.file_name)}
            download={file.file_name}
            onClick={count}
            className={buttonClass('default', 'small')}
          >
            <span className="icon icon-arrow-down" />
            Download<span className="sr-only"> {file.file_name}</span>
          </a>
        </div>
      </div>
    </div>
  );
}
