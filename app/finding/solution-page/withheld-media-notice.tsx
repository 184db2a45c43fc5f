import { classes } from '#app/ui/texts/classes.ts';

/** Takes the place of pictures and clips that are hidden or were removed at the request of a person shown in them. */
export function WithheldNotice({ count, alone }: { count: number; alone: boolean }) {
  return (
    <p
      className={classes(
        'flex gap-3 rounded-md border bg-sunken px-5 text-ink-2',
        alone ? 'min-h-52 flex-col items-center justify-center py-10 text-center md:min-h-80' : 'mt-3 py-4',
      )}
    >
      <span className={alone ? 'icon icon-hidden size-7' : 'on-first-line icon icon-hidden'} />
      <span className="max-w-[40ch]">
        {count === 1
          ? 'An image or video is not shown, to protect someone shown in it.'
          : `${count} images or videos are not shown, to protect someone shown in them.`}
      </span>
    </p>
  );
}
