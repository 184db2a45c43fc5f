import { useOperator } from '#app/frame/page/operator.ts';
import { siteName } from '#app/site.ts';
import { EmailLink } from './prose.tsx';

const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** The operator's name within a sentence, or at its beginning. */
export function OperatorName({ first }: { first?: boolean }) {
  const name = useOperator()?.name ?? siteName();
  return first ? capitalised(name) : name;
}

/** The site's operator and their contact details. */
export function OperatorDetails() {
  const operator = useOperator();
  if (!operator) return null;
  const { name, address, companyNumber, icoNumber, supportEmail, legalEmail } = operator;
  const facts = [
    ['Operator', name && capitalised(name)],
    ['Address', address],
    ['Company number', companyNumber],
    ['Registration with the Information Commissioner', icoNumber],
    ['Support contact', supportEmail && <EmailLink key="support" address={supportEmail} />],
    ['Legal and data protection contact', legalEmail && <EmailLink key="legal" address={legalEmail} />],
  ] as const;
  if (facts.every(([, value]) => !value))
    return <p className="text-ink-2">Contact details haven’t been published yet. Please ask in the forum.</p>;
  return (
    <dl className="@container border-y text-base">
      {facts
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <div key={label} className="border-b py-2 last:border-0 @min-[480px]:flex @min-[480px]:gap-6">
            <dt className="text-ink-3 @min-[480px]:w-[15rem] @min-[480px]:shrink-0">{label}</dt>
            <dd className="whitespace-pre-line wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
