import type { Kind } from '#app/frame/kinds/kind.ts';

export const staffNote = {
  acts: { staff_note_written: 'Staff note written', staff_note_removed: 'Staff note removed' },
} satisfies Kind;
