import { History } from 'lucide-react';
import { Banner } from '#app/ui/surfaces/banner.tsx';

/** Says that a form began with what was typed before and not sent, which can be taken back. */
export const DraftRestored = ({ onDiscard, className }: { onDiscard: () => void; className?: string }) => (
  <Banner tone="accent" icon={History} title="Draft restored." className={className}>
    <button type="button" className="reach underline underline-offset-4" onClick={onDiscard}>
      Discard draft
    </button>
  </Banner>
);
