/** A text of a record as its member wrote it, in its own direction. */
export const EntryText = ({ children }: { children: string }) => (
  <p dir="auto" className="mt-2 max-w-[66ch] wrap-anywhere whitespace-pre-line text-ink-2">
    {children}
  </p>
);
