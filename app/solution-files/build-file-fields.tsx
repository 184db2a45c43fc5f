import { FileText, TriangleAlert } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { type FieldErrors, type UseFormRegister, useFieldArray, useFormContext } from 'react-hook-form';
import { leftOutText } from '#app/build-files/build-file.ts';
import { type FileForm, MAX_DESCRIPTION } from '#app/build-files/form-schema.ts';
import {
  acceptedFiles,
  fileKinds,
  licences,
  MAX_FILE_MB,
  MAX_FILES,
  sizeText,
} from '#app/build-files/kinds.ts';
import type { Json } from '#app/database.types.ts';
import { messageOf } from '#app/errors.ts';
import { postFile } from '#app/media-upload/post-file.ts';
import { FileRefused } from '#app/media-upload/upload-queue.ts';
import { Button, buttonClass } from '#app/ui/button.tsx';
import { Field } from '#app/ui/field.tsx';
import { Input, Select } from '#app/ui/input.tsx';

/** A form that has build files among its fields. */
interface WithFiles {
  files: FileForm[];
}

/** A file that is on its way, or was not accepted. */
interface Sending {
  file: File;
  sent: number;
  problem: string | null;
  /** The same file would be refused again. */
  isFinal: boolean;
}

/** What process-file-upload answers. */
interface Processed {
  file_url: string;
  file_name: string;
  file_type: string;
  byte_size: number;
  facts: Json;
}

const kindsText = 'PDF, STL, 3MF, STEP, SVG or DXF';

/** The build files of the form around it: folded until they are wanted, or are there. */
export function BuildFileFields({ userId }: { userId: string }) {
  const { control, register, watch, formState, getValues, setValue, clearErrors } =
    useFormContext<WithFiles>();
  const { fields, append, remove } = useFieldArray({ control, name: 'files' });
  const values = watch('files');
  const errors = formState.errors.files;
  const [isOpen, setOpen] = useState(values.length > 0);
  const [sending, setSending] = useState<ReadonlyMap<string, Sending>>(new Map());
  const [refused, setRefused] = useState<string>();
  const stop = useRef(new AbortController());
  const last = useRef(Promise.resolve());
  const pickerId = useId();

  useEffect(() => {
    // Strict mode mounts twice.
    if (stop.current.signal.aborted) stop.current = new AbortController();
    return () => stop.current.abort();
  }, []);

  const change = (key: string, update: Partial<Sending> | null) =>
    setSending((before) => {
      const after = new Map(before);
      const current = after.get(key);
      if (update && current) after.set(key, { ...current, ...update });
      else after.delete(key);
      return after;
    });
  const placeOf = (key: string) => getValues('files').findIndex((file) => file.key === key);

  const send = async (key: string, file: File) => {
    if (placeOf(key) < 0) return change(key, null);
    try {
      const made = await postFile<Processed>(
        'process-file-upload',
        userId,
        file,
        (sent) => change(key, { sent: Math.min(sent, file.size) }),
        stop.current.signal,
      );
      const place = placeOf(key);
      if (place >= 0) {
        setValue(`files.${place}.url`, made.file_url, { shouldDirty: true });
        setValue(`files.${place}.name`, made.file_name);
        setValue(`files.${place}.type`, made.file_type);
        setValue(`files.${place}.size`, made.byte_size, { shouldDirty: true });
        setValue(`files.${place}.leftOut`, leftOutText(made.facts) ?? '');
        clearErrors(`files.${place}.url`);
      }
      change(key, null);
    } catch (error) {
      change(key, {
        problem: messageOf(error, `${file.name} couldn’t be uploaded. Please try again.`),
        isFinal: error instanceof FileRefused,
      });
    }
  };
  // One after the other: the server accepts few at once.
  const queue = (key: string, file: File) => {
    setSending((before) => new Map(before).set(key, { file, sent: 0, problem: null, isFinal: false }));
    last.current = last.current.then(() => send(key, file));
  };
  const add = (chosen: FileList | null) => {
    setRefused(undefined);
    let room = MAX_FILES - getValues('files').length;
    for (const file of chosen ?? []) {
      if (file.size > MAX_FILE_MB * 1024 * 1024) {
        setRefused(`${file.name}: Build files must be under ${MAX_FILE_MB}MB.`);
        continue;
      }
      if (room-- <= 0) {
        setRefused(`${file.name} was not added: a solution can have at most ${MAX_FILES} build files.`);
        continue;
      }
      const key = crypto.randomUUID();
      append(
        {
          key,
          url: '',
          name: file.name,
          type: '',
          size: file.size,
          licence: licences[0].name,
          description: '',
        },
        { shouldFocus: false },
      );
      queue(key, file);
    }
  };

  return (
    <details
      // A problem in it is shown.
      open={isOpen || Boolean(errors)}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="mt-7 rounded-md border bg-surface px-4 md:px-5"
    >
      <summary id="files" className="disclosure min-h-12 justify-between font-title">
        <span>
          Build files <span className="text-sm font-normal text-ink-3">optional</span>
        </span>
      </summary>
      {/* Before it is opened it costs the form nothing. */}
      {(isOpen || errors) && (
        <div className="pb-5">
          <p className="text-ink-3">
            What others need to build it: {kindsText}, at most {MAX_FILE_MB} MB each and {MAX_FILES} in all.
            Author names, comments, links and scripts are removed. Please check that no page shows a patient’s
            name.
          </p>
          <ul aria-label="Build files">
            {fields.map(({ id }, index) => {
              const value = values[index];
              if (!value) return null;
              const state = sending.get(value.key);
              return (
                <li key={id} className="mt-5 border-t pt-5">
                  <Row
                    index={index}
                    value={value}
                    state={state}
                    register={register}
                    errors={errors?.[index]}
                    onRetry={() => state && queue(value.key, state.file)}
                    onRemove={() => {
                      change(value.key, null);
                      remove(index);
                    }}
                  />
                </li>
              );
            })}
          </ul>
          {refused && (
            <p role="alert" className="mt-4 font-title text-red-ink">
              {refused}
            </p>
          )}
          {errors?.message && <p className="mt-4 font-title text-red-ink">{errors.message}</p>}
          <div className="mt-5">
            <input
              id={pickerId}
              type="file"
              multiple
              accept={acceptedFiles}
              disabled={fields.length >= MAX_FILES}
              className="peer sr-only"
              onChange={({ target }) => {
                add(target.files);
                target.value = '';
              }}
            />
            <label
              htmlFor={pickerId}
              className={buttonClass(
                'default',
                'normal',
                'peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus peer-disabled:opacity-50',
              )}
            >
              <span className="icon icon-plus" />
              {fields.length === 0 ? 'Add build files' : 'Add another build file'}
            </label>
          </div>
        </div>
      )}
    </details>
  );
}

interface RowProps {
  index: number;
  value: FileForm;
  state: Sending | undefined;
  register: UseFormRegister<WithFiles>;
  errors: FieldErrors<FileForm> | undefined;
  onRetry: () => void;
  onRemove: () => void;
}

function Row({ index, value, state, register, errors, onRetry, onRemove }: RowProps) {
  const input = (name: 'licence' | 'description') => register(`files.${index}.${name}`);
  const Icon = state?.problem ? TriangleAlert : FileText;
  return (
    <fieldset>
      <legend className="sr-only">Build file {index + 1}</legend>
      <div className="flex gap-3" id={`files.${index}.url`} tabIndex={-1}>
        <Icon className="mt-0.5 size-5 shrink-0 text-ink-2" strokeWidth={1.75} aria-hidden />
        <div className="min-w-0 flex-1" aria-live="polite">
          <p className="font-title wrap-anywhere">
            <bdi>{value.name}</bdi>
          </p>
          {state ? (
            <Progress state={state} />
          ) : (
            <p className="text-sm text-ok-ink">
              {fileKinds[value.type] ?? value.type.toUpperCase()} · {sizeText(value.size)} · uploaded
            </p>
          )}
          {!state && value.leftOut && (
            <p className="text-sm text-ink-2">{value.leftOut}. Check that others can build from the rest.</p>
          )}
          {errors?.url?.message && <p className="text-sm font-title text-red-ink">{errors.url.message}</p>}
        </div>
      </div>
      {state?.problem ? (
        !state.isFinal && (
          <Button size="small" className="mt-3" onClick={onRetry}>
            Try again<span className="sr-only"> with {value.name}</span>
          </Button>
        )
      ) : (
        <div className="mt-4 grid gap-5">
          <Field id={`files.${index}.licence`} label="Licence" error={errors?.licence?.message}>
            {(control) => (
              <Select {...control} {...input('licence')}>
                {licences.map(({ name, says }) => (
                  <option key={name} value={name}>
                    {name}: {says}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field
            id={`files.${index}.description`}
            label="What it is for"
            hint="Optional"
            error={errors?.description?.message}
          >
            {(control) => <Input {...control} {...input('description')} maxLength={MAX_DESCRIPTION} />}
          </Field>
        </div>
      )}
      <Button variant="quiet" size="small" className="mt-3 -ml-3" onClick={onRemove}>
        <span className="icon icon-delete" />
        Remove<span className="sr-only"> {value.name}</span>
      </Button>
    </fieldset>
  );
}

function Progress({ state: { file, sent, problem } }: { state: Sending }) {
  if (problem) return <p className="text-sm font-title text-red-ink">{problem}</p>;
  const isSent = sent >= file.size;
  const percent = Math.floor((sent / Math.max(file.size, 1)) * 100);
  return (
    <p className="text-sm text-ink-3">
      {isSent ? 'Checking the file' : `Uploading · ${percent}% of ${sizeText(file.size)}`}
    </p>
  );
}
