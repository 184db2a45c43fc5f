import { badgeSign } from './badge-signs.ts';

/** A badge as a disc: its sign says what earned it, and as many dots as its tier how much. Its name is beside it. */
export function BadgeDisc({ badge }: { badge: { icon_url: string; tier: number } }) {
  return (
    <span className="badge-disc" data-tier={badge.tier}>
      <span className={`icon ${badgeSign(badge.icon_url)}`} />
    </span>
  );
}
