/**
 * The ways in which a trial can have gone: as the form asks, as readers see it, and after a count. That it did not work is a finding like
 * the others, neither a warning nor an error.
 */
export const results = [
  {
    value: 'worked',
    choice: 'It worked',
    label: 'Worked',
    counted: 'worked',
    tone: 'ok',
    icon: 'icon-check',
  },
  {
    value: 'worked_with_changes',
    choice: 'It worked with changes',
    label: 'Worked with changes',
    counted: 'worked with changes',
    tone: 'accent',
    icon: 'icon-edit',
  },
  {
    value: 'did_not_work',
    choice: 'It did not work',
    label: 'Did not work',
    counted: 'did not work',
    tone: 'neutral',
    icon: 'icon-close',
  },
] as const;

export type Result = (typeof results)[number]['value'];

/** Whether one of the choices was made; a form begins with a blank. */
export const isResult = (value: string): value is Result => results.some((result) => result.value === value);

/** The result in the words that readers see; an unknown one stands for itself. */
export const resultLabel = (result: string): string =>
  results.find(({ value }) => value === result)?.label ?? result;

interface Counted {
  id: string;
  user_id: string | null;
  version: number;
  result: string;
}

/** One report for each member: that of the latest version they tried. Former members cannot be told apart. */
function latestReports<Trial extends Counted>(trials: Trial[]): Trial[] {
  const latest = new Map<string, Trial>();
  for (const trial of trials) {
    const member = trial.user_id ?? trial.id;
    const before = latest.get(member);
    if (!before || before.version < trial.version) latest.set(member, trial);
  }
  return [...latest.values()];
}

/** The number of members who tried it, and their results: "4 worked, 2 worked with changes, 1 did not work", or "worked". */
export function tallyOf(trials: Counted[]): { members: number; results: string } {
  const latest = latestReports(trials);
  const counts = results.flatMap(({ value, counted }) => {
    const count = latest.filter(({ result }) => result === value).length;
    // A number stays on the line of its words.
    return count > 0 ? [`${latest.length > 1 ? `${count}\u00a0` : ''}${counted}`] : [];
  });
  return { members: latest.length, results: counts.join(', ') };
}

/** "Tried by 7: 4 worked, 2 worked with changes, 1 did not work"; a count, never a claim of effect. */
export function tallySentence(trials: Counted[]): string {
  const { members, results } = tallyOf(trials);
  return `Tried by ${members}: ${results}`;
}
