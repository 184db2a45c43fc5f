import { Skeleton } from '#app/ui/states/skeleton.tsx';

/** Stands for a case while it loads, in its shape. */
export function CaseSkeleton() {
  return (
    <div role="status" aria-label="Loading the case">
      <Skeleton className="h-7 w-36" />
      <Skeleton className="mt-3 h-9 w-4/5" />
      <div className="mt-2 mb-5 flex items-center gap-2">
        <Skeleton className="size-8 rounded-full" />
        <Skeleton className="h-5 w-60" />
      </div>
      <Skeleton className="aspect-[16/10]" />
    </div>
  );
}
