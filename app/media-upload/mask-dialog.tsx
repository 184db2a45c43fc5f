import { Plus, Undo2 } from 'lucide-react';
import { type PointerEvent, useState } from 'react';
import { messageOf } from '#app/errors.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { asFile, drawToCanvas } from './downscale-image.ts';
import { type Box, boxBetween, drawMasks, moveBoxByKey } from './mask.ts';

interface MaskDialogProps {
  file: File;
  /** An object URL of the picture on this device. */
  preview: string;
  onClose: () => void;
  onMasked: (file: File) => void;
}

const middle: Box = { x: 40, y: 40, width: 20, height: 20 };

/** Covers parts of a picture before it is sent. */
export function MaskDialog({ file, preview, onClose, onMasked }: MaskDialogProps) {
  const [steps, setSteps] = useState<Box[][]>([[]]);
  const [start, setStart] = useState<{ x: number; y: number }>();
  const [drawing, setDrawing] = useState<Box>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const boxes = steps.at(-1) ?? [];
  const step = (next: Box[]) => setSteps([...steps, next]);

  const pointerPosition = (event: PointerEvent<HTMLElement>) => {
    const area = event.currentTarget.getBoundingClientRect();
    return {
      x: ((event.clientX - area.left) / area.width) * 100,
      y: ((event.clientY - area.top) / area.height) * 100,
    };
  };
  const save = async () => {
    setBusy(true);
    try {
      const canvas = await drawToCanvas(file);
      drawMasks(canvas, boxes);
      onMasked(await asFile(canvas, file));
    } catch (error) {
      setProblem(messageOf(error, `${file.name} could not be drawn.`));
      setBusy(false);
    }
  };

  return (
    <Dialog
      onClose={onClose}
      title={`Cover details in ${file.name}`}
      description="Draw boxes over faces, tattoos, wristbands and labels. They are painted into the picture on this device; what lies below is never sent."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={boxes.length === 0}
            busy={busy && 'Covering'}
            onClick={() => void save()}
          >
            Cover for good
          </Button>
        </>
      }
    >
      <div
        className="relative mx-auto mt-4 w-fit cursor-crosshair touch-none select-none"
        onPointerDown={(event) => {
          if (event.button !== 0 || !event.isPrimary) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setStart(pointerPosition(event));
        }}
        onPointerMove={(event) => start && setDrawing(boxBetween(start, pointerPosition(event)))}
        onPointerUp={() => {
          if (drawing) step([...boxes, drawing]);
          setStart(undefined);
          setDrawing(undefined);
        }}
        onPointerCancel={() => {
          setStart(undefined);
          setDrawing(undefined);
        }}
      >
        <img src={preview} alt="" draggable={false} className="block max-h-[50dvh] max-w-full" />
        {boxes.map((box, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a box is known by its place alone
            key={index}
            type="button"
            className="absolute bg-black outline-offset-2 focus-visible:outline-3 focus-visible:outline-focus"
            style={styleOf(box)}
            aria-label={`Box ${index + 1}: arrow keys move, Shift and arrow keys resize, Delete removes`}
            onKeyDown={(event) => {
              const moved = moveBoxByKey(box, event.key, event.shiftKey);
              const removes = event.key === 'Delete' || event.key === 'Backspace';
              if (!moved && !removes) return;
              event.preventDefault();
              step(boxes.flatMap((other, at) => (at === index ? (moved ?? []) : other)));
            }}
          />
        ))}
        {drawing && <div className="pointer-events-none absolute bg-black/80" style={styleOf(drawing)} />}
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button size="small" onClick={() => step([...boxes, middle])}>
          <Plus className="size-4" strokeWidth={2} aria-hidden />
          Add a box
        </Button>
        <Button size="small" disabled={steps.length === 1} onClick={() => setSteps(steps.slice(0, -1))}>
          <Undo2 className="size-4" strokeWidth={2} aria-hidden />
          Undo
        </Button>
        <p className="text-sm text-ink-2" aria-live="polite">
          {problem ?? `${boxes.length} ${boxes.length === 1 ? 'box' : 'boxes'}`}
        </p>
      </div>
    </Dialog>
  );
}

const styleOf = ({ x, y, width, height }: Box) => ({
  left: `${x}%`,
  top: `${y}%`,
  width: `${width}%`,
  height: `${height}%`,
});
