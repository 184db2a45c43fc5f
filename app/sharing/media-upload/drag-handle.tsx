import { GripVertical } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { buttonClass } from '#app/ui/controls/button.tsx';

interface DragHandleProps {
  name: string;
  /** From 0. */
  place: number;
  count: number;
  onMove: (place: number) => void;
}

/** Moves its row: dragged by mouse or finger, or with the arrow keys. */
export function DragHandle({ name, place, count, onMove }: DragHandleProps) {
  const handle = useRef<HTMLButtonElement>(null);
  const [dragging, setDragging] = useState(false);
  const drag = useEffectEvent(({ clientY }: PointerEvent) => {
    const rows = [...(handle.current?.closest('ul')?.children ?? [])].map((row) =>
      row.getBoundingClientRect(),
    );
    const over = rows.findIndex(({ top, bottom }) => clientY >= top && clientY < bottom);
    const row = rows[over];
    if (!row || over === place) return;
    // Only once the pointer is beyond the middle, so that rows of different heights do not jump to and fro.
    const middle = row.top + row.height / 2;
    if (over > place ? clientY > middle : clientY < middle) onMove(over);
  });
  // On the window, since a row that is moved in the page loses the pointer it has captured.
  useEffect(() => {
    if (!dragging) return;
    const controller = new AbortController();
    const { signal } = controller;
    window.addEventListener('pointermove', (event) => drag(event), { signal });
    for (const type of ['pointerup', 'pointercancel'])
      window.addEventListener(type, () => setDragging(false), { signal });
    return () => controller.abort();
  }, [dragging]);
  return (
    <button
      ref={handle}
      type="button"
      aria-label={`Move ${name}, ${place + 1} of ${count}: press the arrow keys`}
      className={buttonClass(
        'quiet',
        'icon',
        '-ms-3 cursor-grab touch-none text-ink-3 active:cursor-grabbing',
      )}
      hidden={count < 2}
      onPointerDown={({ button, isPrimary }) => button === 0 && isPrimary && setDragging(true)}
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
