import { TriangleAlert } from 'lucide-react';
import { Banner } from '#app/ui/banner.tsx';
import { findPatientIdentifiers } from './patient-identifiers.ts';

/** Warns the author, without stopping them, of details in a text that may identify the patient. */
export function PatientIdentifierWarning({ text }: { text: string }) {
  const kinds = findPatientIdentifiers(text);
  return (
    <div aria-live="polite" className="empty:hidden">
      {kinds.length > 0 && (
        <Banner tone="amber" icon={TriangleAlert} title="This may identify a patient.">
          It seems to hold: {kinds.join(', ')}. Please take it out; moderators will see this note as well.
        </Banner>
      )}
    </div>
  );
}
