/** The look of the actions below a text: quiet, beside what is read. */
export const action =
  'reach inline-flex min-h-9 items-center gap-1.5 rounded-sm text-sm font-medium text-ink-2 hover:text-ink';
