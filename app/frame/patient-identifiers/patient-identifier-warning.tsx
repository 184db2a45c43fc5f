import { TriangleAlert } from 'lucide-react';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { findPatientIdentifiers } from './patient-identifiers.ts';

const NAMES: Record<string, string> = {
  'NHS number': 'an NHS number',
  name: 'a name',
  'date of birth': 'a date of birth',
  postcode: 'a postcode',
  'email address': 'an email address',
  'phone number': 'a phone number',
};
const sentence = new Intl.ListFormat('en-GB');

/** Warns the author, without stopping them, of details in a text that may identify the patient. */
export function PatientIdentifierWarning({ text }: { text: string }) {
  const kinds = findPatientIdentifiers(text);
  return (
    <div aria-live="polite" className="empty:hidden">
      {kinds.length > 0 && (
        <Banner tone="amber" icon={TriangleAlert} title="This may identify a patient.">
          This looks like it contains {sentence.format(kinds.map((kind) => NAMES[kind] ?? kind))}. Please
          remove it. Moderators will see this warning too.
        </Banner>
      )}
    </div>
  );
}
