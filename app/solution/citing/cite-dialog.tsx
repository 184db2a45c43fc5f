import { Check, Copy, Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#app/ui/controls/button.tsx';
import { SegmentedControl } from '#app/ui/controls/segmented-control.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import {
  type CitationFormat,
  type Cited,
  citation,
  citationFormats,
  citationKey,
  namesIn,
} from './citation.ts';

interface CiteDialogProps {
  /** Without the origin, which the browser knows. */
  cited: Omit<Cited, 'url'>;
  /** The address of a translation; that of the version when left out. */
  path?: string;
  onClose: () => void;
}

/** A version as a reference of a paper, to copy or to download. */
export function CiteDialog({ cited, path, onClose }: CiteDialogProps) {
  const [format, setFormat] = useState<CitationFormat>('text');
  const [copied, setCopied] = useState<'done' | 'failed'>();
  const box = useRef<HTMLPreElement>(null);
  const url = new URL(path ?? `/solutions/${cited.id}/versions/${cited.version}`, location.href).href;
  const text = citation(format, { ...cited, url });

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied('done');
    } catch {
      // Without a secure address, or with the permission denied, browsers copy only what is selected.
      if (box.current) window.getSelection()?.selectAllChildren(box.current);
      setCopied(document.execCommand('copy') ? 'done' : 'failed');
    }
  };
  const download = () => {
    const { type, ending } = citationFormats.find(({ value }) => value === format) ?? citationFormats[0];
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
    link.download = `${citationKey(cited)}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  const Icon = copied === 'done' ? Check : Copy;

  return (
    <Dialog
      onClose={onClose}
      title="Cite this solution"
      description={
        path
          ? 'This reference names the original, its version and who translated it.'
          : `This reference always leads to version ${cited.version}, even when there is a newer one.`
      }
      actions={
        <>
          <Button onClick={download}>
            <Download className="size-5" strokeWidth={1.75} aria-hidden />
            Download
          </Button>
          <Button variant="primary" onClick={() => void copy()}>
            <Icon className="size-5" strokeWidth={1.75} aria-hidden />
            Copy citation
          </Button>
        </>
      }
    >
      <SegmentedControl
        legend="Format"
        name="citation-format"
        options={citationFormats}
        value={format}
        onChange={(value) => {
          setFormat(value);
          setCopied(undefined);
        }}
        className="mt-5"
      />
      <pre
        ref={box}
        dir="ltr"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and is selected from the keyboard
        tabIndex={0}
        className="mt-4 max-h-72 overflow-auto rounded-md bg-sunken px-4 py-3 text-sm whitespace-pre-wrap wrap-anywhere"
      >
        <Isolated text={text} names={namesIn(format, cited)} />
      </pre>
      <p role="status" className="mt-2 min-h-6 text-sm text-ink-2">
        {copied === 'done' && 'Citation copied'}
        {copied === 'failed' &&
          'Your browser didn’t allow this. The citation is selected, so you can copy it yourself.'}
      </p>
    </Dialog>
  );
}

/** A text in which each of the names, which come in this order, keeps its own direction and turns nothing beside it. */
function Isolated({ text, names: [name, ...others] }: { text: string; names: string[] }) {
  if (!name) return text;
  const [before = '', ...after] = text.split(name);
  return (
    <>
      {before}
      {after.length > 0 && <bdi>{name}</bdi>}
      <Isolated text={after.join(name)} names={others} />
    </>
  );
}
