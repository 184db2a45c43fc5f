import { useQueryClient } from '@tanstack/react-query';
import {
  Component,
  type ComponentProps,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useLocation, useRevalidator } from 'react-router';
import { Button } from '#app/ui/controls/button.tsx';
import { classes } from '#app/ui/texts/classes.ts';

interface BoundaryProps {
  /** Shown in the place of children that could not be drawn. */
  failed: (tryAgain: () => void) => ReactNode;
  /** When it changes, the children are tried again by themselves. */
  address: string;
  children: ReactNode;
}

/** The one error boundary of the site. React writes the caught errors to the console. */
class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate({ address }: BoundaryProps) {
    if (this.state.failed && address !== this.props.address) this.setState({ failed: false });
  }

  override render() {
    return this.state.failed
      ? this.props.failed(() => this.setState({ failed: false }))
      : this.props.children;
  }
}

function useAddress(): string {
  const { pathname, search } = useLocation();
  return pathname + search;
}

/** Draws inside the boundary what would otherwise be drawn by the component around it. */
const Drawn = ({ by }: { by: () => ReactNode }) => by();

interface RegionProps {
  /** A function is called inside the boundary, so that its errors are caught here. */
  children: ReactNode | (() => ReactNode);
  /** Shown instead; a sentence and a button when left out. */
  failed?: (tryAgain: () => void) => ReactNode;
  /** The sentence's classes. */
  className?: string;
}

/**
 * A part of a page that fails alone: an error while it is drawn, here or on the server, is shown in its
 * place, and the rest of the page keeps working. Forms lie outside of the regions of the lists they belong
 * to, so that they keep their text.
 */
export function Region({ children, failed, className }: RegionProps) {
  const sentence = (tryAgain?: () => void) => <Failed tryAgain={tryAgain} className={className} />;
  return (
    <Boundary address={useAddress()} failed={failed ?? sentence}>
      {/* A part that fails on the server is tried again in the browser; without scripts this stands there
         instead. */}
      <Suspense fallback={failed ? failed(() => undefined) : sentence()}>
        {typeof children === 'function' ? <Drawn by={children} /> : children}
      </Suspense>
    </Boundary>
  );
}

/** Requests all data of the page again, as the data may be the reason why it cannot be drawn. */
export function useFreshData(): () => Promise<void> {
  const cache = useQueryClient();
  const { revalidate } = useRevalidator();
  return async () => {
    // No element of the failed part is in use any more.
    cache.removeQueries({ type: 'inactive' });
    await Promise.allSettled([cache.refetchQueries({ type: 'active' }), revalidate()]);
  };
}

function TryAgain({ onTry }: { onTry: () => void }) {
  const refresh = useFreshData();
  const [busy, setBusy] = useState(false);
  return (
    <Button
      size="small"
      busy={busy && 'Trying again'}
      onClick={async () => {
        setBusy(true);
        await refresh();
        setBusy(false);
        onTry();
      }}
    >
      Try again
    </Button>
  );
}

const Failed = ({
  tryAgain,
  className,
}: {
  tryAgain?: (() => void) | undefined;
  className?: string | undefined;
}) => (
  <Failure role="alert" className={className} action={tryAgain && <TryAgain onTry={tryAgain} />}>
    This part of the page couldn’t be shown. Anything you typed elsewhere is safe.
  </Failure>
);

interface FailureProps extends ComponentProps<'div'> {
  action: ReactNode;
}

/** Stands in the place of a part of a page that is missing, with what can be done about it. */
export const Failure = ({ action, className, children, ...rest }: FailureProps) => (
  <div
    {...rest}
    className={classes(
      'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-md border bg-surface px-5 py-4 text-ink',
      className,
    )}
  >
    <span className="icon icon-failed text-ink-2" />
    <p className="min-w-0 flex-1 basis-60">{children}</p>
    {action}
  </div>
);

function DialogFailed({ tryAgain, onClose }: { tryAgain: () => void; onClose: () => void }) {
  const id = useId();
  const card = useRef<HTMLDivElement>(null);
  // With the card itself: an effect that came later would take the focus from a button that was pressed at once.
  useLayoutEffect(() => card.current?.focus(), []);
  return (
    <div
      ref={card}
      tabIndex={-1}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      className="fixed end-4 bottom-4 start-4 z-50 rounded-md bg-raised p-4 text-base text-ink shadow-dialog sm:start-auto sm:w-[360px]"
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <p id={`${id}-title`} className="font-bold">
        This couldn’t be opened
      </p>
      <p id={`${id}-text`} className="mt-1 text-ink-2">
        Please check your connection. Anything you typed is safe.
      </p>
      <div className="mt-3 flex flex-wrap justify-end gap-3">
        <Button size="small" onClick={onClose}>
          Close
        </Button>
        <TryAgain onTry={tryAgain} />
      </div>
    </div>
  );
}

/** A component whose code is loaded when it is first drawn, and again for another try after it could not be. */
function loaded<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  failed: (tryAgain: () => void, props: NoInfer<Props>) => ReactNode,
  waiting: (props: Props) => ReactNode = () => null,
) {
  let missing = false;
  const createLazy = () =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        missing = true;
        throw error;
      }
    });
  let Part = createLazy();
  // biome-ignore-start lint/correctness/noComponentHookFactories: made once for each module, beside what it loads
  /**
   * Drawn again for each try: a failed load stays failed, and a loaded component stays the same for all its
   * places.
   */
  function Attempt(props: Props) {
    const [Current] = useState(() => {
      if (missing) Part = createLazy();
      missing = false;
      return Part;
    });
    return (
      <Suspense fallback={waiting(props)}>
        <Current {...props} />
      </Suspense>
    );
  }
  return function Loaded(props: Props) {
    return (
      <Boundary address={useAddress()} failed={(tryAgain) => failed(tryAgain, props)}>
        <Attempt {...props} />
      </Boundary>
    );
  };
  // biome-ignore-end lint/correctness/noComponentHookFactories: made once for each module, beside what it loads
}

/** The part of a module that is a component; where the module was taken apart before, it is that part. */
type PartOf<Module, Name extends keyof Module> =
  Module extends ComponentType<infer _> ? Module : Module[Name];
type PropsOf<Part> = Part extends ComponentType<infer Props> ? Props & object : never;

const partOf =
  <Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name | undefined) =>
  async () => {
    const module = await load();
    return (name === undefined ? module : module[name]) as ComponentType<PropsOf<PartOf<Module, Name>>>;
  };

/** A dialog whose code is loaded when it is first opened. It fails alone when it cannot be loaded or drawn. */
export const lazyDialog = <Module, Name extends keyof Module>(load: () => Promise<Module>, name?: Name) =>
  loaded(partOf(load, name), (tryAgain, props) => (
    <DialogFailed tryAgain={tryAgain} onClose={(props as { onClose: () => void }).onClose} />
  ));

/**
 * A part of a page whose code is loaded when it is first drawn. It fails alone when it cannot be loaded or drawn.
 *
 * @param waiting stands for it until then
 * @param failed is shown when it cannot be; a sentence and a button when left out
 */
export const lazyPart = <Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name?: Name,
  waiting?: ReactNode | ((props: PropsOf<PartOf<Module, Name>>) => ReactNode),
  failed: (tryAgain: () => void, props: PropsOf<PartOf<Module, Name>>) => ReactNode = (tryAgain) => (
    <Failed tryAgain={tryAgain} />
  ),
) => loaded(partOf(load, name), failed, typeof waiting === 'function' ? waiting : () => waiting);
