import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** The parts of the form that can also be filled in after sending; a link to one of them opens it. */
export const laterParts = {
  outcomes: 'section-outcomes',
  files: 'section-files',
  fabrication: 'fabrication',
  sources: 'section-sources',
};

const isLater = (hash: string) => Object.values(laterParts).some((id) => hash === `#${id}`);

interface Step {
  /** From 0. */
  step: number;
  /** The id of the part that can come later to which a link has led; null for none. */
  asked: string | null;
  goTo: (step: number) => void;
  /** Goes back in the history, of which each step is an entry. */
  goBack: () => void;
}

/**
 * The step of a form on a small screen. Each is an entry of the history under the same address, so that Back leads to
 * the step before, and the page opens without a connection at any of them.
 *
 * @param last the last step that can be shown, since those before it are complete
 */
export function useStep(last: number): Step {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const [known, setKnown] = useState(() => (isLater(hash) ? 1 : 0));
  // A link within the page, such as that to its main content, is an entry without a state.
  const wanted = typeof state?.step === 'number' ? state.step : hash ? known : 0;
  const step = Math.min(wanted, last);
  if (step !== known) setKnown(step);
  const replace = useEffectEvent(() => navigate(pathname + search, { replace: true, state: { step } }));
  // Otherwise the page would go on by itself as soon as what is missing is typed.
  useEffect(() => {
    if (step < wanted) void replace();
  }, [step, wanted]);
  const asked = isLater(hash) ? hash.slice(1) : null;
  useEffect(() => {
    const summary = asked && document.getElementById(asked);
    if (!summary) return;
    summary.scrollIntoView({ block: 'center' });
    summary.focus({ preventScroll: true });
  }, [asked]);
  return {
    step,
    asked,
    goTo: (next) => void navigate(pathname + search, { state: { step: next } }),
    goBack: () => void navigate(-1),
  };
}
