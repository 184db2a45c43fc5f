import type { Kind } from '#app/frame/kinds/kind.ts';

export const safetyNotice = {
  acts: {
    safety_notice_written: 'Safety notice written',
    safety_notice_withdrawn: 'Safety notice withdrawn',
    part_notice_written: 'Safety notice on a part written',
    part_notice_withdrawn: 'Safety notice on a part withdrawn',
  },
} satisfies Kind;
