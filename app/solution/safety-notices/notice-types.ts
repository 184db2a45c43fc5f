import { ABOUT, ACTOR, type NoticeType } from '#app/frame/kinds/notice-type.ts';
import { siteSettings } from '#app/site.ts';

export const noticeTypes = {
  safety_notice: {
    headline: `${ACTOR} added a safety notice to ${ABOUT}`,
    get unnamed() {
      return siteSettings().names_moderators ? 'Someone' : 'A moderator';
    },
    icon: 'alert',
    warning: { about: 'safety', open: 'Read the notice' },
    // The title has the warning before it.
    email: ({ title, actor, safety_kind }) => ({
      heading: safety_kind ? title : `Safety notice: ${title}`,
      text: `${actor} added a safety notice to a solution that you shared, tried, liked, commented on or follow. Please read it before you use or build it.`,
    }),
  },
  part_notice: {
    headline: 'Safety notice on a part you shared, tried or saved',
    path: ({ part }) => (part ? `/browse?q=${encodeURIComponent(part)}` : '/notifications'),
    icon: 'alert',
    warning: { about: 'safety', open: 'View the solutions' },
    email: {
      text: 'The notice is on the page of every solution with this part. Please read it before you use or build one.',
    },
  },
} satisfies Record<string, NoticeType>;
