import { Link } from 'react-router';
import type { Solution } from '#app/solutions/data.ts';

/** What a solution is based on, what is based on it, and the way to build on it. */
export function Lineage({ solution }: { solution: Solution }) {
  const sources = [...solution.sources].sort((a, b) => a.position - b.position);
  const adaptations = solution.adaptations.filter(({ solution }) => solution?.status === 'approved');
  const isPublic = solution.status === 'approved';
  if (!isPublic && sources.length + adaptations.length === 0) return null;
  return (
    <div className="flex flex-col gap-3 py-3 empty:hidden">
      <Family title="Based on" members={sources.map(({ solution }) => solution)} />
      <Family title="Adaptations" members={adaptations.map(({ solution }) => solution)} />
      {isPublic && (
        <Link to={`/upload?based-on=${solution.id}`} className="reach link self-start print:hidden">
          Build on this solution
        </Link>
      )}
    </div>
  );
}

interface FamilyProps {
  title: string;
  /** Null for one that this reader cannot see. */
  members: ({ id: string; title: string } | null)[];
}

function Family({ title, members }: FamilyProps) {
  const seen = members.filter((member) => member !== null);
  if (seen.length === 0) return null;
  return (
    <section>
      <h2 className="text-sm text-ink-3">{title}</h2>
      <ul className="mt-1 flex flex-col gap-1.5">
        {seen.map((member) => (
          <li key={member.id} dir="auto" className="wrap-anywhere">
            <Link to={`/solutions/${member.id}`} className="reach link">
              {member.title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
