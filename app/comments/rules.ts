export const longestComment = 5000;
