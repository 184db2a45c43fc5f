import { Flag } from 'lucide-react';
import type { Kind } from '#app/frame/kinds/kind.ts';

export const report = {
  waiting: {
    kind: 'report',
    name: 'Report',
    icon: Flag,
    section: ['reports', 'Content Reports'],
    count: (count) => (count === 1 ? '1 report' : `${count} reports`),
    oldest: 'the oldest report',
    failed: 'Failed to load content reports',
    empty: 'No reports to review',
  },
  acts: {
    report_resolved: 'Report resolved',
    report_dismissed: 'Report dismissed',
    reported_message_read: 'Reported message read',
  },
  target: { type: 'content_report', name: 'report' },
} satisfies Kind;
