/** Why a build file is refused, in words for the person who sent it; they follow the name of the file. */
export class FileProblem extends Error {}
