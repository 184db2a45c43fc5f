import { Skeleton } from '#app/ui/states/skeleton.tsx';

/** The outline of a solution’s page, shown and announced while it is loaded. */
export function SolutionSkeleton() {
  return (
    <div className="page pt-7 pb-16">
      <p role="status" className="sr-only">
        Loading solution
      </p>
      <Skeleton className="h-4 w-48" />
      <Skeleton className="mt-5 h-9 w-full max-w-xl" />
      <Skeleton className="mt-4 h-8 w-72" />
      <div className="mt-6 grid gap-x-14 gap-y-6 lg:grid-cols-[minmax(0,1fr)_360px]">
        <Skeleton className="aspect-[4/3] md:aspect-[16/10]" />
        <Skeleton className="h-96" />
      </div>
    </div>
  );
}
