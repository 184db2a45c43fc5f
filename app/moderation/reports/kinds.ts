/** The names of what can be reported, as moderators and reporters read them: by themselves, and within a sentence. */
export const contentKinds: Record<string, { label: string; word: string }> = {
  topic: { label: 'Forum topic', word: 'forum topic' },
  post: { label: 'Forum reply', word: 'forum reply' },
  solution: { label: 'Solution', word: 'solution' },
  translation: { label: 'Translation', word: 'translation' },
  trial: { label: 'Trial report', word: 'trial report' },
  comment: { label: 'Comment', word: 'comment' },
  message: { label: 'Private message', word: 'private message' },
  profile: { label: 'Profile', word: 'profile' },
  collection: { label: 'Collection', word: 'collection' },
};
