import { useQuery } from '@tanstack/react-query';
import { ZoomIn, ZoomOut } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import { dimensionsOf, previewUrl, type ShownFile } from '#app/solution/build-files/build-file.ts';
import { RENEW_SIGNED_MS, signFiles } from '#app/solution/solutions/private-files.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { SegmentedControl } from '#app/ui/controls/segmented-control.tsx';
import { Switch } from '#app/ui/controls/switch.tsx';
import { modelText, VIEWER_MESH } from './model-facts.ts';
import { type Axis, axes, type Move, type Section, type ShownModel, showModel } from './model-scene.ts';

const keys: Record<string, Move> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  '+': 'nearer',
  '=': 'nearer',
  '-': 'farther',
  Home: 'reset',
};
const buttons: { move: Move; name: string; icon: ReactNode }[] = [
  { move: 'left', name: 'Turn left', icon: <span className="icon icon-chevron-left rtl:scale-x-100" /> },
  { move: 'right', name: 'Turn right', icon: <span className="icon icon-chevron-right rtl:scale-x-100" /> },
  { move: 'up', name: 'Turn up', icon: <span className="icon icon-chevron-up" /> },
  { move: 'down', name: 'Turn down', icon: <span className="icon icon-chevron-down" /> },
  { move: 'nearer', name: 'Zoom in', icon: <ZoomIn className="size-5" strokeWidth={1.75} aria-hidden /> },
  { move: 'farther', name: 'Zoom out', icon: <ZoomOut className="size-5" strokeWidth={1.75} aria-hidden /> },
];

/** The triangles of a model; a private file is opened for the reader. */
async function readMesh(file: ShownFile, open: (path: string) => string, signal: AbortSignal) {
  const stored = file.file_type === 'stl' ? file.stored_url : previewUrl(file.stored_url, VIEWER_MESH);
  const signed = await signFiles(await browserClient(), [stored]);
  const answer = await fetch(open(signed.get(stored) ?? stored), { signal });
  if (!answer.ok) throw new TypeError(`the model is not there (${answer.status})`);
  return answer.arrayBuffer();
}

/** The model itself with its controls. Its still picture stands in its place until it is drawn, and when it cannot be. */
export function ModelStage({ file, still }: { file: ShownFile; still: ReactNode }) {
  const fileUrl = useFileUrl();
  const [problem, setProblem] = useState<'no-3d' | 'lost' | null>(null);
  const mesh = useQuery({
    queryKey: ['build-file-mesh', file.id, file.stored_url],
    queryFn: ({ signal }) => readMesh(file, fileUrl, signal),
    staleTime: RENEW_SIGNED_MS,
    // Up to 50 MB, which a closed viewer must not keep.
    gcTime: 0,
  });
  if (mesh.data && !problem)
    return <Stage key={file.id} bytes={mesh.data} file={file} onProblem={setProblem} />;
  return (
    <>
      {still}
      <div aria-live="polite" className="mt-3 min-h-11">
        {problem === 'no-3d' && (
          <p>Your browser can’t show 3D here, so you see a still image. You can download the file.</p>
        )}
        {problem === 'lost' && (
          <p className="flex flex-wrap items-center gap-3">
            The 3D view stopped.
            <Button size="small" onClick={() => setProblem(null)}>
              Start it again
            </Button>
          </p>
        )}
        {!problem && mesh.isError && (
          <p className="flex flex-wrap items-center gap-3">
            The 3D model couldn’t be loaded. Check your connection.
            <Button size="small" onClick={() => mesh.refetch()}>
              Try again
            </Button>
          </p>
        )}
        {!problem && mesh.isPending && (
          <p className="flex items-center gap-2 text-ink-2">
            <span className="icon icon-spinner animate-spin" /> Loading the 3D view
          </p>
        )}
      </div>
    </>
  );
}

interface StageProps {
  bytes: ArrayBuffer;
  file: ShownFile;
  onProblem: (problem: 'no-3d' | 'lost') => void;
}

function Stage({ bytes, file, onProblem }: StageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const model = useRef<ShownModel>(null);
  const [edges, setEdges] = useState(false);
  const [section, setSection] = useState<Section | null>(null);
  const id = useId();
  const fail = useEffectEvent(onProblem);
  const start = useEffectEvent((shown: ShownModel) => {
    shown.showEdges(edges);
    shown.cut(section);
  });

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    let shown: ShownModel;
    try {
      shown = showModel(element, bytes, () => fail('lost'));
    } catch (error) {
      console.warn('3D view:', error);
      fail('no-3d');
      return;
    }
    model.current = shown;
    start(shown);
    const colour = () => {
      const style = getComputedStyle(document.documentElement);
      const of = (token: string) => style.getPropertyValue(`--${token}`).trim();
      shown.colour({
        background: of('sunken'),
        outside: of('chart-2'),
        inside: of('warm'),
        lines: of('line-2'),
      });
    };
    colour();
    // The reader changes between light and dark.
    const theme = new MutationObserver(colour);
    theme.observe(document.documentElement, { attributeFilter: ['class'] });
    const size = new ResizeObserver(() => shown.resize(element.clientWidth, element.clientHeight));
    size.observe(element);
    return () => {
      theme.disconnect();
      size.disconnect();
      model.current = null;
      shown.dispose();
    };
  }, [bytes]);

  const cut = (next: Section | null) => {
    setSection(next);
    model.current?.cut(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = keys[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const pan = event.shiftKey && event.key.startsWith('Arrow');
    model.current?.move(pan ? (`pan ${move}` as Move) : move);
  };
  const length = section ? (dimensionsOf(file)?.[axes.indexOf(section.axis)] ?? 0) : 0;
  const place = section ? `${(section.part * length).toFixed(1)} mm of ${length} mm` : '';

  return (
    <>
      <div
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys reach what has the focus
        tabIndex={0}
        aria-label={`3D view. ${modelText(file)}`}
        aria-describedby={`${id}-keys`}
        onKeyDown={onKeyDown}
        className="h-[46dvh] min-h-56 overflow-hidden rounded-md border"
      >
        <canvas ref={canvas} className="block size-full cursor-grab active:cursor-grabbing" />
      </div>
      <div className="mt-3 flex flex-wrap gap-1 sm:gap-2">
        {buttons.map(({ move, name, icon }) => (
          <Button key={move} size="icon" title={name} onClick={() => model.current?.move(move)}>
            {icon}
            <span className="sr-only">{name}</span>
          </Button>
        ))}
        <Button size="normal" className="mt-1 sm:mt-0" onClick={() => model.current?.move('reset')}>
          Reset view
        </Button>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-x-6 gap-y-1">
        <Switch
          checked={edges}
          onChange={(isOn) => {
            setEdges(isOn);
            model.current?.showEdges(isOn);
          }}
        >
          Wireframe
        </Switch>
        <Switch checked={section !== null} onChange={(isOn) => cut(isOn ? { axis: 'X', part: 0.5 } : null)}>
          Section plane
        </Switch>
      </div>
      {section && (
        <div className="mt-2 flex flex-wrap items-center gap-x-6 gap-y-2">
          <SegmentedControl<Axis>
            legend="Axis of the section plane"
            name={`${id}-axis`}
            options={axes.map((axis) => ({ value: axis, label: axis }))}
            value={section.axis}
            onChange={(axis) => cut({ ...section, axis })}
            className="w-40"
          />
          <label className="flex min-w-56 flex-1 items-center gap-4">
            <span className="font-bold">Position of the cut</span>
            <input
              type="range"
              min={0}
              max={1}
              step={0.01}
              value={section.part}
              aria-valuetext={place}
              onChange={({ target }) => cut({ ...section, part: target.valueAsNumber })}
              className="h-11 min-w-24 flex-1 accent-accent"
            />
          </label>
          <p className="text-sm text-ink-2">{place}. The inside is orange.</p>
        </div>
      )}
      <p id={`${id}-keys`} className="mt-3 text-sm text-ink-2">
        Drag to turn, pinch or scroll to zoom, drag with two fingers or the right button to move. With the
        keyboard: arrow keys turn, Shift and arrow keys move, plus and minus zoom, Home resets.
      </p>
    </>
  );
}
