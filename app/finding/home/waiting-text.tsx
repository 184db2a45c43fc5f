import { DISCUSSION } from '#app/solution/comments/anchors.ts';
import { languageName, textLanguage } from '#app/ui/languages/languages.ts';
import type { Waiting, Warning } from './data.ts';

/** What waits in one line, with the title of its solution in the language of that. */
export function WaitingTitle({ waiting }: { waiting: Waiting }) {
  const { kind, number, text_language } = waiting;
  const title = <bdi {...textLanguage(waiting.language)}>{waiting.title}</bdi>;
  if (kind === 'question')
    return (
      <>
        Still in use? {title}, {number} months on
      </>
    );
  if (kind === 'comments')
    return number === 1 ? (
      <>{title}: 1 comment without your answer</>
    ) : (
      <>
        {title}: {number} comments without your answer
      </>
    );
  if (kind === 'trial') return <>Your report on {title}: changes requested</>;
  if (kind === 'translation')
    return (
      <>
        {title} in {languageName(text_language ?? '')}: changes requested
      </>
    );
  return <>{title}: changes requested</>;
}

/** What there is to do, in a word, and where. */
export function waitingAction({ kind, id, solution_id, text_language }: Waiting): {
  label: string;
  to: string;
} {
  switch (kind) {
    case 'question':
      return { label: 'Answer', to: `/still-in-use/${id}` };
    case 'comments':
      return { label: 'Reply', to: `/solutions/${solution_id}#${DISCUSSION}` };
    case 'trial':
      return { label: 'Revise', to: `/solutions/${solution_id}/tried` };
    case 'translation':
      return { label: 'Revise', to: `/solutions/${solution_id}/translate?language=${text_language}` };
    case 'solution':
      return { label: 'Revise', to: `/upload?solution=${solution_id}` };
  }
}

const inALine = new Intl.ListFormat('en-GB');

/** Why a warning concerns the member: "You saved and follow it." */
export function concernText({ why }: Warning): string {
  const deeds = (['shared', 'tried', 'saved', 'follow'] as const).filter((one) => why.includes(one));
  return `You ${inALine.format(deeds)} it.`;
}
