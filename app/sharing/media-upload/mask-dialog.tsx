import { Hand, Plus, Trash2, Undo2, ZoomIn, ZoomOut } from 'lucide-react';
import { type PointerEvent, useRef, useState } from 'react';
import { messageOf } from '#app/errors.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { asFile, drawToCanvas } from './downscale-image.ts';
import { type Box, boxBetween, type Corner, corners, dragBox, drawMasks, moveBoxByKey } from './mask.ts';

interface MaskDialogProps {
  file: File;
  /** An object URL of the picture on this device. */
  preview: string;
  onClose: () => void;
  onMasked: (file: File) => void;
}

const middle: Box = { x: 40, y: 40, width: 20, height: 20 };
const ZOOMS = [1, 1.5, 2, 3, 4];

/** A box that is being drawn, moved or resized, as it was when that began. */
interface Drag {
  from: { x: number; y: number };
  /** Left out while a new box is drawn. */
  index?: number;
  corner?: Corner;
  box: Box;
}

/** Covers parts of an image with solid boxes before it is sent. */
export function MaskDialog({ file, preview, onClose, onMasked }: MaskDialogProps) {
  const [steps, setSteps] = useState<Box[][]>([[]]);
  const [selected, setSelected] = useState<number>();
  const [drag, setDrag] = useState<Drag>();
  const [zoom, setZoom] = useState(0);
  const [panning, setPanning] = useState(false);
  const [ratio, setRatio] = useState<number>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const area = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const boxes = steps.at(-1) ?? [];
  const step = (next: Box[]) => setSteps([...steps, next]);
  const factor = ZOOMS[zoom] ?? 1;
  const isPanning = panning && factor > 1;

  const pointOf = (event: PointerEvent) => {
    const { left, top, width, height } = area.current?.getBoundingClientRect() ?? new DOMRect();
    return { x: ((event.clientX - left) / width) * 100, y: ((event.clientY - top) / height) * 100 };
  };
  const begin = (event: PointerEvent, part: Omit<Drag, 'from'>) => {
    if (event.button !== 0 || !event.isPrimary || isPanning) return;
    event.stopPropagation();
    area.current?.setPointerCapture(event.pointerId);
    setDrag({ ...part, from: pointOf(event) });
    setSelected(part.index);
  };
  const boxAt = ({ from, index, corner, box }: Drag, event: PointerEvent) => {
    const to = pointOf(event);
    return index === undefined ? boxBetween(from, to) : dragBox(boxes[index] ?? box, from, to, corner);
  };
  const hasMoved = ({ from }: Drag, event: PointerEvent) => {
    const to = pointOf(event);
    return Math.abs(to.x - from.x) + Math.abs(to.y - from.y) > 0.5;
  };
  const end = (event: PointerEvent) => {
    setDrag(undefined);
    // A press without a movement chooses a box, and draws none.
    if (!drag || !hasMoved(drag, event)) return;
    const box = boxAt(drag, event);
    step(drag.index === undefined ? [...boxes, box] : boxes.with(drag.index, box));
    setSelected(drag.index ?? boxes.length);
  };
  const remove = (index: number) => {
    step(boxes.toSpliced(index, 1));
    setSelected(undefined);
    addButton.current?.focus();
  };
  const add = () => {
    step([...boxes, middle]);
    setSelected(boxes.length);
  };
  const undo = () => {
    setSteps(steps.slice(0, -1));
    setSelected(undefined);
  };
  const save = async () => {
    setBusy(true);
    try {
      const canvas = await drawToCanvas(file);
      drawMasks(canvas, boxes);
      onMasked(await asFile(canvas, file));
    } catch (error) {
      setProblem(messageOf(error, `${file.name} couldn’t be opened.`));
      setBusy(false);
    }
  };
  const shown = drag?.index === undefined ? boxes : boxes.with(drag.index, drag.box);
  const isDrawing = drag && drag.index === undefined && drag.box.width > 0;

  return (
    <Dialog
      onClose={onClose}
      title={`Hide details in ${file.name}`}
      description="Draw boxes over faces, tattoos, wristbands and labels. They’re applied on your device, so the hidden area is never uploaded."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={boxes.length === 0}
            busy={busy && 'Applying'}
            onClick={() => void save()}
          >
            Apply permanently
          </Button>
        </>
      }
    >
      <div className="mt-4 max-h-[52dvh] overflow-auto rounded-sm bg-sunken">
        <div
          ref={area}
          className={classes(
            'relative mx-auto select-none',
            isPanning ? 'cursor-grab' : 'cursor-crosshair touch-pinch-zoom',
          )}
          style={ratio ? { width: `calc(min(100%, 50dvh * ${ratio}) * ${factor})` } : undefined}
          onPointerDown={(event) => begin(event, { box: { x: 0, y: 0, width: 0, height: 0 } })}
          onPointerMove={(event) => drag && setDrag({ ...drag, box: boxAt(drag, event) })}
          onPointerUp={end}
          onPointerCancel={() => setDrag(undefined)}
        >
          <img
            src={preview}
            alt=""
            draggable={false}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setRatio(naturalWidth / naturalHeight)
            }
            className={ratio ? 'block w-full' : 'block max-h-[50dvh] max-w-full'}
          />
          {shown.map((box, index) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a box is known by its place alone
              key={index}
              className="absolute"
              style={styleOf(box)}
            >
              <button
                type="button"
                className={classes(
                  'block size-full cursor-move bg-black outline-offset-2 focus-visible:outline-3 focus-visible:outline-focus',
                  selected === index && 'outline-2 outline-accent',
                )}
                aria-label={`Box ${index + 1}: arrow keys move, Shift and arrow keys resize, Delete removes`}
                aria-pressed={selected === index}
                onPointerDown={(event) => begin(event, { index, box })}
                onFocus={() => setSelected(index)}
                onKeyDown={(event) => {
                  const moved = moveBoxByKey(box, event.key, event.shiftKey);
                  const removes = event.key === 'Delete' || event.key === 'Backspace';
                  if (!moved && !removes) return;
                  event.preventDefault();
                  if (moved) step(boxes.with(index, moved));
                  else remove(index);
                }}
              />
              {selected === index &&
                corners.map((corner) => (
                  <span
                    key={corner}
                    data-corner={corner}
                    aria-hidden
                    className={classes(
                      'absolute flex size-8 -translate-1/2 items-center justify-center before:size-3.5 before:rounded-full before:border-2 before:border-white before:bg-accent before:shadow-menu',
                      corner === 'nw' || corner === 'se' ? 'cursor-nwse-resize' : 'cursor-nesw-resize',
                    )}
                    style={{
                      left: corner.endsWith('w') ? 0 : '100%',
                      top: corner.startsWith('n') ? 0 : '100%',
                    }}
                    onPointerDown={(event) => begin(event, { index, corner, box })}
                  />
                ))}
            </div>
          ))}
          {isDrawing && (
            <div className="pointer-events-none absolute bg-black/80" style={styleOf(drag.box)} />
          )}
        </div>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button ref={addButton} size="small" onClick={add}>
          <Plus className="size-4" strokeWidth={2} aria-hidden />
          Add a box
        </Button>
        <Button size="small" disabled={steps.length === 1} onClick={undo}>
          <Undo2 className="size-4" strokeWidth={2} aria-hidden />
          Undo
        </Button>
        <Button
          size="small"
          disabled={selected === undefined || !boxes[selected]}
          onClick={() => selected !== undefined && remove(selected)}
        >
          <Trash2 className="size-4" strokeWidth={2} aria-hidden />
          Remove box
        </Button>
        <div className="ms-auto flex items-center gap-1">
          {factor > 1 && (
            <Button
              size="small"
              aria-pressed={panning}
              className="aria-pressed:border-accent aria-pressed:bg-accent-soft"
              onClick={() => setPanning(!panning)}
            >
              <Hand className="size-4" strokeWidth={2} aria-hidden />
              <span className="sr-only">Move the image instead of drawing</span>
            </Button>
          )}
          <Button size="small" disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
            <ZoomOut className="size-4" strokeWidth={2} aria-hidden />
            <span className="sr-only">Zoom out</span>
          </Button>
          <span className="w-12 text-center text-sm tabular-nums" aria-live="polite">
            {factor * 100}%
          </span>
          <Button size="small" disabled={zoom === ZOOMS.length - 1} onClick={() => setZoom(zoom + 1)}>
            <ZoomIn className="size-4" strokeWidth={2} aria-hidden />
            <span className="sr-only">Zoom in</span>
          </Button>
        </div>
      </div>
      <p className="mt-2 text-sm text-ink-2" aria-live="polite">
        {problem ?? `${boxes.length} ${boxes.length === 1 ? 'box' : 'boxes'}`}
      </p>
    </Dialog>
  );
}

const styleOf = ({ x, y, width, height }: Box) => ({
  left: `${x}%`,
  top: `${y}%`,
  width: `${width}%`,
  height: `${height}%`,
});
