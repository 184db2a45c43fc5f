import { Fragment, useState } from 'react';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import {
  countDownload,
  downloadUrl,
  factsText,
  leftOutText,
  type ShownFile,
} from '#app/solution/build-files/build-file.ts';
import { fileKinds, formatBytes, licences } from '#app/solution/build-files/kinds.ts';
import { browserClient } from '#app/supabase.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { NotYetTranslated, useWritten } from '#app/ui/languages/untranslated.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Picture } from '#app/ui/surfaces/picture.tsx';

const PageViewer = lazyDialog(() => import('./page-viewer.tsx'), 'PageViewer');
const ModelDialog = lazyDialog(() => import('./model-dialog.tsx'), 'ModelDialog');
const DrawingViewer = lazyDialog(() => import('./drawing-viewer.tsx'), 'DrawingViewer');

/** The viewers in which files of each type are looked at without a download. */
const viewers: Record<string, { label: string; Viewer: typeof PageViewer }> = {
  pdf: { label: 'Read pages', Viewer: PageViewer },
  stl: { label: 'Open 3D view', Viewer: ModelDialog },
  '3mf': { label: 'Open 3D view', Viewer: ModelDialog },
  step: { label: 'Open 3D view', Viewer: ModelDialog },
  svg: { label: 'Enlarge drawing', Viewer: DrawingViewer },
  dxf: { label: 'Enlarge drawing', Viewer: DrawingViewer },
};

/** The build files of a solution: each can be looked at here, and downloaded under its licence. */
export function SolutionFiles({
  language,
  files,
  withheld = 0,
}: {
  language: string;
  files: ShownFile[];
  withheld?: number;
}) {
  const [openedId, setOpenedId] = useState<string>();
  if (files.length === 0 && withheld === 0) return null;
  const opened = files.find(({ id }) => id === openedId);
  const Viewer = opened && viewers[opened.file_type]?.Viewer;
  return (
    <section className="mt-8 md:mt-10" aria-labelledby="build-files">
      <h2 id="build-files" className="mb-2 text-xl">
        Build files
      </h2>
      {files.length > 0 && (
        <p className="max-w-[66ch] text-ink-2">
          Check every file against the person you build for: a socket that fits one limb can harm another.
        </p>
      )}
      <ul className="mt-2 divide-y">
        {files.map((file) => (
          <li key={file.id} className="py-5">
            <File file={file} language={language} onOpen={() => setOpenedId(file.id)} />
          </li>
        ))}
      </ul>
      {withheld > 0 && (
        <p className="mt-3 flex gap-3 rounded-md border bg-sunken px-5 py-4 text-ink-2">
          <span className="on-first-line icon icon-hidden" />
          <span className="max-w-[40ch]">
            {withheld === 1
              ? 'A build file is not shown, at the request of a person it concerns.'
              : `${withheld} build files are not shown, at the request of people they concern.`}
          </span>
        </p>
      )}
      {opened && Viewer && <Viewer file={opened} onClose={() => setOpenedId(undefined)} />}
    </section>
  );
}

function File({ file, language, onOpen }: { file: ShownFile; language: string; onOpen: () => void }) {
  const fileUrl = useFileUrl();
  const written = useWritten(language);
  const viewer = viewers[file.file_type];
  const licence = licences.find(({ name }) => name === file.licence);
  const facts = [fileKinds[file.file_type] ?? file.file_type, factsText(file), formatBytes(file.byte_size)];
  const leftOut = leftOutText(file.facts);
  const count = () => {
    // A download is not held up by its count.
    void browserClient()
      .then((db) => countDownload(db, file.id))
      .catch((error: unknown) => console.warn('downloads:', error));
  };
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-4">
      <div className="flex h-24 w-20 items-center justify-center overflow-hidden rounded-md border bg-surface md:row-span-2 md:h-32 md:w-28">
        {file.picture_url ? (
          <Picture
            src={fileUrl(file.picture_url)}
            alt=""
            width={112}
            height={128}
            loading="lazy"
            className="size-full bg-white! object-contain"
          />
        ) : (
          <span className="icon icon-file size-8 text-ink-3" />
        )}
      </div>
      <div>
        <h3 className="font-bold wrap-anywhere">
          <bdi>{file.file_name}</bdi>
        </h3>
        <p className="text-sm text-ink-2">
          {facts.filter(Boolean).map((fact, index) => (
            <Fragment key={fact}>
              {index > 0 && ' · '}
              <span className="whitespace-nowrap">{fact}</span>
            </Fragment>
          ))}
        </p>
        {leftOut && <p className="text-sm text-ink-2">{leftOut}</p>}
        {file.description && (
          <div className="mt-2 max-w-[66ch] wrap-anywhere">
            <p {...written(file.description)}>{file.description}</p>
            <NotYetTranslated text={file.description} />
          </div>
        )}
        <p className="mt-2 text-sm text-ink-2">
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
      </div>
      {/* On a phone both stand side by side under the picture. */}
      <div className="col-span-2 mt-3 flex gap-2 *:flex-1 md:col-span-1 md:*:flex-none print:hidden">
        {viewer && (
          <Button size="small" onClick={onOpen}>
            <span className="icon icon-enlarge" />
            {viewer.label}
            <span className="sr-only"> of {file.file_name}</span>
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
  );
}
