import { Link } from 'react-router';
import { type Link as FamilyLink, type Relative, treeOf } from './data.ts';

/** The family of a solution: what it is based on and what is based on it, with theirs, and the way to build on it. */
export function Lineage({ solution }: { solution: { id: string; status: string; family: FamilyLink[] } }) {
  const { id, status, family } = solution;
  const isPublic = status === 'approved';
  if (!isPublic && family.length === 0) return null;
  return (
    <div className="flex flex-col gap-3 py-3">
      <Family title="Based on" relatives={treeOf(family, 'source', id)} />
      <Family title="Adaptations" relatives={treeOf(family, 'adaptation', id)} />
      {isPublic && (
        <Link to={`/upload?based-on=${id}`} className="reach link self-start print:hidden">
          Build on this solution
        </Link>
      )}
    </div>
  );
}

function Family({ title, relatives }: { title: string; relatives: Relative[] }) {
  if (relatives.length === 0) return null;
  return (
    <section>
      <h2 className="text-sm text-ink-3">{title}</h2>
      <Generation relatives={relatives} />
    </section>
  );
}

/** A generation, each relative with its own below it. */
function Generation({ relatives }: { relatives: Relative[] }) {
  return (
    <ul className="mt-1 flex flex-col gap-1.5">
      {relatives.map(({ id, title, relatives }) => (
        <li key={id}>
          <Link to={`/solutions/${id}`} dir="auto" className="reach link block wrap-anywhere">
            {title}
          </Link>
          {relatives.length > 0 && (
            <div className="mt-1.5 ml-1.5 border-l pl-3.5">
              <Generation relatives={relatives} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
