/** The names of what can be reported, as moderators and reporters read them. */
export const contentKinds: Record<string, string> = {
  topic: 'Forum topic',
  post: 'Forum reply',
  solution: 'Solution',
  translation: 'Translation',
  trial: 'Trial report',
  comment: 'Comment',
  message: 'Private message',
  profile: 'Profile',
  collection: 'Collection',
};
