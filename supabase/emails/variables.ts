import { themesIn } from '../../app/ui/accent.ts';

/** The colours of emails that an accent colour changes, by the names that the templates have for them. */
export function accentVariables(chosen: string): Record<string, string> {
  const { light, dark } = themesIn(chosen);
  return {
    Accent: light.accent,
    AccentSoft: light['accent-soft'],
    AccentInk: light['accent-ink'],
    DarkAccent: dark.accent,
    OnDarkAccent: dark['on-accent'],
    DarkAccentSoft: dark['accent-soft'],
    DarkAccentInk: dark['accent-ink'],
  };
}

/** What the templates of emails about accounts say of the site, made of what the database gives. */
export default function variablesOf({ AccentColour, ...given }: Record<string, unknown>) {
  return { ...given, ...accentVariables(String(AccentColour)) };
}
