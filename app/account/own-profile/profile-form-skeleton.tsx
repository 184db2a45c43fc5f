import { Skeleton } from '#app/ui/states/skeleton.tsx';

/** The outline of the profile form, shown until the profile and the form itself are loaded. */
export function ProfileFormSkeleton() {
  return (
    <div className="flex flex-col gap-6">
      <div className="flex items-center gap-5">
        <Skeleton className="size-24 rounded-full" />
        <Skeleton className="h-11 w-36" />
      </div>
      <div className="grid gap-6 md:grid-cols-2">
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
      </div>
      <Skeleton className="h-40" />
    </div>
  );
}
