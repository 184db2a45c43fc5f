import { type RefObject, useState } from 'react';
import { lazyPart } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import type { ChosenImages } from './image-fields.tsx';

const ImageFields = lazyPart(
  () => import('./image-fields.tsx'),
  'ImageFields',
  <Skeleton className="mt-4 h-24" />,
);

interface AddImagesProps {
  userId: string;
  /** Null while no image is added. */
  chosen: RefObject<ChosenImages | null>;
  className?: string;
}

/** The button that opens the fields for images, which most posts do without. */
export function AddImages({ userId, chosen, className }: AddImagesProps) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <ImageFields userId={userId} ref={chosen} />;
  return (
    <p className={className}>
      <button type="button" className="reach text-action" onClick={() => setOpen(true)}>
        <span className="icon icon-plus size-4" />
        Add images
      </button>
    </p>
  );
}
