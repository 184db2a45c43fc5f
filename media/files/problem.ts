/** Why a build file is refused, in words for the person who sent it; they follow the name of the file. */
export class FileProblem extends Error {}

/** The refusal of what is no build file. */
export const otherKind = () => new FileProblem('Only PDF, STL, 3MF, STEP, SVG and DXF files are accepted.');
