import { FileText, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { acceptedFiles, licences, MAX_DESCRIPTION, MAX_FILES } from '#app/solution/build-files/kinds.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field, Optional } from '#app/ui/controls/field.tsx';
import { FileButton, Input, Select } from '#app/ui/controls/input.tsx';
import { SIZES } from '../../../media/sniff.ts';
import { sayRefused } from './media-section.tsx';
import { isBuildFile, type Upload, type UploadQueue, type Uploads } from './upload-queue.ts';
import { UploadState } from './upload-state.tsx';

const kindsText = 'PDF, STL, 3MF, STEP, SVG or DXF';

interface BuildFileFieldsProps {
  queue: UploadQueue;
  uploads: Uploads;
  /** The id of the summary. */
  id: string;
  /** Whether they are unfolded also while there is none. */
  isWanted: boolean;
}

/** The build files of a form: folded until they are wanted, or are there. */
export function BuildFileFields({ queue, uploads, id, isWanted }: BuildFileFieldsProps) {
  const items = uploads.items.filter(isBuildFile);
  const [isOpen, setOpen] = useState(isWanted || items.length > 0);
  const [count, setCount] = useState(items.length);
  if (items.length !== count) {
    setCount(items.length);
    // One may come from among the images.
    if (items.length > count) setOpen(true);
  }
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="rounded-md border bg-surface px-4 md:px-5"
    >
      <summary id={id} className="disclosure">
        <span>
          Build files
          <Optional />
        </span>
      </summary>
      {/* Before it is opened it costs the form nothing. */}
      {isOpen && (
        <div className="pb-5">
          <p className="text-ink-3">
            What others need to build it: {kindsText}, at most {SIZES.file.bytes / 2 ** 20} MB each and{' '}
            {MAX_FILES} in all. Author names, comments, links and scripts are removed. Please check that no
            page shows a patient’s name.
          </p>
          <ul aria-label="Build files">
            {items.map((upload, index) => (
              <li key={upload.id} className="mt-5 border-t pt-5">
                <Row upload={upload} number={index + 1} queue={queue} />
              </li>
            ))}
          </ul>
          <div className="mt-5">
            <FileButton
              multiple
              accept={acceptedFiles}
              onChoose={(files) => void queue.add(files, sayRefused, true)}
            >
              <span className="icon icon-plus" />
              {items.length === 0 ? 'Add build files' : 'Add another build file'}
            </FileButton>
          </div>
        </div>
      )}
    </details>
  );
}

/** @param number of the file among the build files, from 1 */
function Row({ upload, number, queue }: { upload: Upload; number: number; queue: UploadQueue }) {
  const { id, name, state, problem, buildFile, description, licence } = upload;
  const Icon = problem ? TriangleAlert : FileText;
  return (
    <fieldset>
      <legend className="sr-only">Build file {number}</legend>
      <div className="flex gap-3">
        <Icon className="on-first-line size-5 shrink-0 text-ink-2" strokeWidth={1.75} aria-hidden />
        <div className="min-w-0 flex-1" aria-live="polite">
          <p className="font-bold wrap-anywhere">
            <bdi>{name}</bdi>
          </p>
          <UploadState upload={upload} />
          {problem && <p className="mt-1 text-sm text-red-ink wrap-anywhere">{problem.text}</p>}
          {buildFile?.leftOut && (
            <p className="text-sm text-ink-2">
              {buildFile.leftOut}. Check that others can build from the rest.
            </p>
          )}
        </div>
      </div>
      {state === 'failed' && (
        <Button size="small" className="mt-3" onClick={() => queue.send(id)}>
          Try again<span className="sr-only"> with {name}</span>
        </Button>
      )}
      {state !== 'refused' && (
        <div className="mt-4 grid gap-5">
          <Field id={`${id}-licence`} label="Licence">
            <Select value={licence} onChange={({ target }) => queue.describe(id, { licence: target.value })}>
              {licences.map(({ name: licenceName, says }) => (
                <option key={licenceName} value={licenceName}>
                  {licenceName}: {says}
                </option>
              ))}
            </Select>
          </Field>
          <Field id={`${id}-description`} label="What it is for" optional>
            <Input
              maxLength={MAX_DESCRIPTION}
              value={description}
              onChange={({ target }) => queue.describe(id, { description: target.value })}
            />
          </Field>
        </div>
      )}
      <Button variant="quiet" size="small" className="mt-3 -ms-3" onClick={() => queue.remove(id)}>
        <span className="icon icon-delete" />
        Remove<span className="sr-only"> {name}</span>
      </Button>
    </fieldset>
  );
}
