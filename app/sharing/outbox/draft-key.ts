/** The draft's owner, and the solution that is edited, if any. */
export interface DraftTarget {
  userId: string;
  solutionId: string | null;
}

/** Names a draft on this device; begins with what names its owner's others. */
export const draftKey = ({ userId, solutionId }: DraftTarget) =>
  ['solution-draft', userId, solutionId].filter(Boolean).join('-');
