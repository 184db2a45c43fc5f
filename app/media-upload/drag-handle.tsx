import { GripVertical } from 'lucide-react';
import { type PointerEvent, useRef } from 'react';
import { buttonClass } from '#app/ui/button.tsx';

interface DragHandleProps {
  name: string;
  /** From 0. */
  place: number;
  count: number;
  onMove: (place: number) => void;
}

/** Moves its row: dragged by mouse or finger, or with the arrow keys. */
export function DragHandle({ name, place, count, onMove }: DragHandleProps) {
  const dragging = useRef(false);
  const drag = ({ currentTarget, clientY }: PointerEvent<HTMLButtonElement>) => {
    if (!dragging.current) return;
    const rows = [...(currentTarget.closest('ul')?.children ?? [])];
    const over = rows.findIndex((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return clientY >= top && clientY < bottom;
    });
    if (over < 0 || over === place) return;
    // Only once the pointer is beyond the middle, so that rows of different heights do not jump to and fro.
    const { top, height } = rows[over]?.getBoundingClientRect() ?? { top: 0, height: 0 };
    const middle = top + height / 2;
    if (over > place ? clientY > middle : clientY < middle) onMove(over);
  };
  const end = () => {
    dragging.current = false;
  };
  return (
    <button
      type="button"
      aria-label={`Move ${name}, ${place + 1} of ${count}: press the arrow keys`}
      className={buttonClass(
        'quiet',
        'icon',
        '-ml-3 cursor-grab touch-none text-ink-3 active:cursor-grabbing',
      )}
      hidden={count < 2}
      onPointerDown={(event) => {
        if (event.button !== 0 || !event.isPrimary) return;
        dragging.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={(event) => {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        if (place + by >= 0 && place + by < count) onMove(place + by);
      }}
    >
      <GripVertical className="size-5" strokeWidth={1.75} aria-hidden />
    </button>
  );
}
