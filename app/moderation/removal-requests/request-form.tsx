import { Play } from 'lucide-react';
import { useId, useState } from 'react';
import { Form, useNavigation } from 'react-router';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Checkbox, Radio } from '#app/ui/controls/checkbox-radio.tsx';
import { ErrorSummary, type Problem } from '#app/ui/controls/error-summary.tsx';
import { Field, FieldGroup } from '#app/ui/controls/field.tsx';
import { Input, Textarea } from '#app/ui/controls/input.tsx';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { MAX_REASON_LENGTH, REQUESTER_ROLES, type RemovalRequestFields } from './data.ts';

interface RemovalRequestFormProps {
  pictures: { id: string; thumbnail_url: string | null; media_type: string; description: string | null }[];
  /** The id under which the request is to be followed; blank without scripts. */
  tracking: string;
  problems: Problem[];
  /** The earlier input, where the server renders the page again. */
  filled: RemovalRequestFields | undefined;
  attempt: number;
}

/** A plain form, which works without scripts and keeps the typed text when it could not be sent. */
export function RemovalRequestForm({
  pictures,
  tracking,
  problems,
  filled,
  attempt,
}: RemovalRequestFormProps) {
  const { state } = useNavigation();
  const [all, setAll] = useState(filled !== undefined && !filled.pictures);
  const fileUrl = useFileUrl();
  const error = (id: string) => problems.find((problem) => problem.id === id)?.message;
  const [only] = pictures.length === 1 ? pictures : [];
  const hasFiles = pictures.some(({ media_type }) => media_type === 'file');
  const srcOf = ({ thumbnail_url }: (typeof pictures)[number]) => thumbnail_url && fileUrl(thumbnail_url);
  return (
    <Form method="post" noValidate className="mt-8 flex flex-col gap-9">
      <ErrorSummary problems={problems} attempt={attempt} />
      <input type="hidden" name="tracking" value={tracking} />
      <FieldGroup
        id="pictures"
        legend={
          only
            ? hasFiles
              ? 'The file'
              : 'The image'
            : `Which images ${hasFiles ? 'or files ' : ''}are you asking about?`
        }
        error={error('pictures')}
      >
        {only ? (
          <>
            <input type="hidden" name="all" value="on" />
            <PictureOrClip picture={only} index={0} src={srcOf(only)} className="mt-3 w-52" />
          </>
        ) : (
          <>
            <Checkbox name="all" checked={all} onChange={(event) => setAll(event.target.checked)}>
              All of them
            </Checkbox>
            <ul className="mt-2 grid grid-cols-2 gap-x-4 gap-y-3 md:grid-cols-3">
              {pictures.map((picture, index) => (
                <li key={picture.id}>
                  <PictureChoice
                    picture={picture}
                    index={index}
                    src={srcOf(picture)}
                    forced={all}
                    before={filled?.pictures?.includes(picture.id) ?? false}
                  />
                </li>
              ))}
            </ul>
          </>
        )}
      </FieldGroup>
      <FieldGroup radios id="asker" legend="Who are you?" error={error('asker')}>
        {REQUESTER_ROLES.map(({ value, label }) => (
          <Radio key={value} name="asker" value={value} defaultChecked={filled?.asker === value}>
            {label}
          </Radio>
        ))}
      </FieldGroup>
      <Field
        id="reason"
        label="Is there anything we should know?"
        optional
        hint="For example, what makes you recognisable. Please leave out medical details."
        error={error('reason')}
      >
        <Textarea name="reason" rows={4} maxLength={MAX_REASON_LENGTH} defaultValue={filled?.reason} />
      </Field>
      <Field
        id="email"
        label="Email for our answer"
        optional
        hint="Only moderators see it, and we delete it 30 days after closing your request. If you’d rather not give one, you can track your request on its own page."
        error={error('email')}
      >
        <Input
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={filled?.email}
          maxLength={254}
          className="max-w-[400px]"
        />
      </Field>
      <div className="border-t pt-6">
        <p className="text-ink-2">
          Moderators are alerted immediately and can hide the images straight away. They decide within 24
          hours.
        </p>
        <Button type="submit" variant="primary" className="mt-5" busy={state !== 'idle' && 'Sending'}>
          Send request
        </Button>
      </div>
    </Form>
  );
}

interface PictureChoiceProps extends PictureProps {
  /** By "All of them". */
  forced: boolean;
  /** Chosen in the earlier input. */
  before: boolean;
}

function PictureChoice({ forced, before, ...pictureProps }: PictureChoiceProps) {
  const [chosen, setChosen] = useState(before);
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="block cursor-pointer">
        <PictureOrClip {...pictureProps} />
      </label>
      <Checkbox
        id={id}
        name="picture"
        value={pictureProps.picture.id}
        checked={forced || chosen}
        disabled={forced}
        onChange={(event) => setChosen(event.target.checked)}
      >
        {pictureProps.picture.media_type === 'file' ? (
          <span className="wrap-anywhere">
            <span className="sr-only">File: </span>
            <bdi>{pictureProps.picture.description}</bdi>
          </span>
        ) : (
          `Image ${pictureProps.index + 1}`
        )}
      </Checkbox>
    </>
  );
}

interface PictureProps {
  picture: RemovalRequestFormProps['pictures'][number];
  index: number;
  src: string | null;
  className?: string;
}

function PictureOrClip({ picture, index, src, className = 'w-full' }: PictureProps) {
  return (
    <span className={`relative block ${className}`}>
      {src ? (
        <Picture
          src={src}
          alt={picture.description ?? `Image ${index + 1}`}
          width={320}
          height={240}
          loading="lazy"
          className="aspect-4/3 w-full rounded-md object-cover shadow-[inset_0_0_0_1px_var(--line)]"
        />
      ) : (
        <span className="block aspect-4/3 w-full rounded-md bg-sunken" />
      )}
      {picture.media_type === 'video' && (
        <span className="absolute inset-0 m-auto flex size-9 items-center justify-center rounded-full bg-over-picture text-white">
          <Play className="size-4" strokeWidth={2} aria-hidden />
          <span className="sr-only">Video</span>
        </span>
      )}
    </span>
  );
}
