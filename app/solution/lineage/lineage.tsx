import { Link } from 'react-router';
import { SafetyMark } from '#app/solution/warnings/safety-mark.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { type Link as FamilyLink, type Relative, treeOf } from './data.ts';

/** The family of a solution: what it is based on and what is based on it, with theirs. */
export function Lineage({ solution: { id, family } }: { solution: { id: string; family: FamilyLink[] } }) {
  return (
    <>
      <Family title="Based on" relatives={treeOf(family, 'source', id)} />
      <Family title="Adaptations" relatives={treeOf(family, 'adaptation', id)} />
    </>
  );
}

function Family({ title, relatives }: { title: string; relatives: Relative[] }) {
  if (relatives.length === 0) return null;
  return (
    <section>
      <h3 className="text-sm text-ink-3">{title}</h3>
      <Generation relatives={relatives} />
    </section>
  );
}

/** A generation, each relative with its own below it. */
function Generation({ relatives }: { relatives: Relative[] }) {
  return (
    <ul className="mt-1 flex flex-col gap-2">
      {relatives.map(({ id, title, safety_kind, relatives }) => (
        <li key={id}>
          <SafetyMark kind={safety_kind} className="mb-1 flex" />
          <Link to={`/solutions/${id}`} {...asWritten(title)} className="reach link block wrap-anywhere">
            {title}
          </Link>
          {relatives.length > 0 && (
            <div className="mt-2 ms-2 border-s ps-4">
              <Generation relatives={relatives} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
