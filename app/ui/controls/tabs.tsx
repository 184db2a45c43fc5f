import { Tabs as Primitive } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { Region } from '#app/ui/states/region.tsx';

interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly { value: Value; label: string; count?: number | undefined }[];
  children: ReactNode;
}

/** A row of tabs over the one `TabPanel` that is chosen. */
export function Tabs<Value extends string>({ label, value, onChange, tabs, children }: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null);
  // On a phone the chosen tab may lie beyond the edge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: which one is active follows from the value
  useEffect(() => {
    const active = list.current?.querySelector<HTMLElement>('[data-state=active]');
    if (active) list.current?.scrollTo({ left: active.offsetLeft - 16 });
  }, [value]);
  return (
    <Primitive.Root
      value={value}
      onValueChange={(next) => onChange(tabs.find((tab) => tab.value === next)?.value ?? value)}
    >
      <Primitive.List
        ref={list}
        aria-label={label}
        className="relative -mx-4 flex overflow-x-auto overflow-y-hidden border-b px-4 md:mx-0 md:px-0"
      >
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px flex h-12 shrink-0 items-center gap-2 border-b-[3px] border-transparent px-4 text-ink-2 -outline-offset-3 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className="rounded-sm bg-chip px-2 text-sm font-medium text-ink-2 tabular-nums">
                {tab.count}
              </span>
            )}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {children}
    </Primitive.Root>
  );
}

/** The contents of a tab, drawn while it is chosen; an error in it leaves the other tabs usable. */
export function TabPanel({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Primitive.Content value={value} className="pt-7 outline-offset-4">
      <Region>{children}</Region>
    </Primitive.Content>
  );
}
