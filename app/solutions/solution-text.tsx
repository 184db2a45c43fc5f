export function SolutionText({ text }: { text: string }) {
  return (
    <div className="flex max-w-[66ch] flex-col gap-3.5 text-prose whitespace-pre-line wrap-anywhere">
      {text.split(/\n\s*\n/).map((paragraph, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs never move
        <p key={place}>{paragraph}</p>
      ))}
    </div>
  );
}

export function Section({ title, text }: { title: string; text: string | null }) {
  if (!text) return null;
  return (
    <section className="mt-8 md:mt-10">
      <h2 className="mb-2 text-xl">{title}</h2>
      <SolutionText text={text} />
    </section>
  );
}
