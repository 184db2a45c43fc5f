import { Award, Heart, MessageSquare, Play, TriangleAlert } from 'lucide-react';

// Icons that a page repeats by the dozen are drawn once and referred to, which halves the HTML of a list.
const icons = {
  alert: TriangleAlert,
  award: Award,
  heart: Heart,
  comment: MessageSquare,
  play: Play,
};

/** The drawings themselves; once in the document. */
export function IconSprite() {
  return (
    <svg className="hidden" aria-hidden="true">
      {Object.entries(icons).map(([name, Icon]) => (
        <symbol key={name} id={`icon-${name}`} viewBox="0 0 24 24">
          <Icon strokeWidth="inherit" />
        </symbol>
      ))}
    </svg>
  );
}

interface SpriteIconProps {
  name: keyof typeof icons;
  className?: string;
  /** What the icon says, where no text beside it does. */
  label?: string;
}

export function SpriteIcon({ name, className, label }: SpriteIconProps) {
  const use = <use href={`#icon-${name}`} />;
  return label ? (
    <svg className={className} role="img" aria-label={label}>
      {use}
    </svg>
  ) : (
    <svg className={className} aria-hidden="true">
      {use}
    </svg>
  );
}
