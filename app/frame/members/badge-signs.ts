/**
 * The sign of each kind of badge, by what earns it: a silhouette on a grid of 24 whose cut-outs are even-odd, and the
 * class that draws it. `npm run generate` makes the classes, and the files that `badges.icon_url` names.
 */
export const badgeSigns: Record<string, { className: string; silhouette: string }> = {
  solution: {
    className: 'badge-solution',
    silhouette:
      'M13 1.6l8 4.6a2 2 0 0 1 1 1.7v8.2a2 2 0 0 1-1 1.7l-8 4.6a2 2 0 0 1-2 0l-8-4.6a2 2 0 0 1-1-1.7V7.9a2 2 0 0 1 1-1.7l8-4.6a2 2 0 0 1 2 0zM12 7.4a4.6 4.6 0 1 0 0 9.2 4.6 4.6 0 1 0 0-9.2z',
  },
  comment: {
    className: 'badge-comment',
    silhouette:
      'M12 2C6.2 2 1.5 6 1.5 11c0 2.3 1 4.4 2.7 6l-1 3.8a.9.9 0 0 0 1.2 1l4.3-1.7c1 .3 2.1.4 3.3.4 5.8 0 10.5-4 10.5-9.5S17.8 2 12 2zM7.9 7.4h8.2a1.1 1.1 0 0 1 0 2.2H7.9a1.1 1.1 0 0 1 0-2.2zM7.9 12h5.2a1.1 1.1 0 0 1 0 2.2H7.9a1.1 1.1 0 0 1 0-2.2z',
  },
  topic: {
    className: 'badge-topic',
    silhouette:
      'M22 3.5v13a1 1 0 0 1-1.6.8 13 13 0 0 0-8.4-3V5.7a13 13 0 0 0 8.4-3A1 1 0 0 1 22 3.5zM10 5.8v8.4H4.5A2.5 2.5 0 0 1 2 11.7V8.3A2.5 2.5 0 0 1 4.5 5.8zM5.2 16.2h4.6a8 8 0 0 0 1.5 2.9 2 2 0 0 1-3.2 2.4 12 12 0 0 1-2.9-5.3z',
  },
  like: {
    className: 'badge-like',
    silhouette:
      'M3.85 8.62a4 4 0 0 1 4.78-4.77 4 4 0 0 1 6.74 0 4 4 0 0 1 4.78 4.78 4 4 0 0 1 0 6.74 4 4 0 0 1-4.77 4.78 4 4 0 0 1-6.75 0 4 4 0 0 1-4.78-4.77 4 4 0 0 1 0-6.76zM12 17.2l4.5-4.4a2.9 2.9 0 0 0-4.5-3.6 2.9 2.9 0 0 0-4.5 3.6z',
  },
  points: {
    className: 'badge-points',
    silhouette:
      'M11.1 1.9a1 1 0 0 1 1.8 0l2.5 5.3 5.7.800a1 1 0 0 1 .6 1.7l-4.2 4.1 1 5.8a1 1 0 0 1-1.5 1.1L12 18l-5 2.7a1 1 0 0 1-1.5-1.1l1-5.8-4.2-4.1a1 1 0 0 1 .6-1.7l5.7-.8z',
  },
};

/** The class that draws a badge's sign. */
export const badgeSign = (iconUrl: string): string =>
  badgeSigns[/^\/badges\/([a-z]+)-/.exec(iconUrl)?.[1] ?? '']?.className ?? 'icon-award';
