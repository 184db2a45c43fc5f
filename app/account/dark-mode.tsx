import { useSyncExternalStore } from 'react';
import { setTheme, useTheme } from '#app/layout/theme.ts';
import { Switch } from '#app/ui/switch.tsx';

const query = '(prefers-color-scheme: dark)';

function follow(listener: () => void) {
  const system = matchMedia(query);
  system.addEventListener('change', listener);
  return () => system.removeEventListener('change', listener);
}

/** Takes effect at once, since one sees it. */
export function DarkMode() {
  const theme = useTheme();
  const systemIsDark = useSyncExternalStore(
    follow,
    () => matchMedia(query).matches,
    () => false,
  );
  return (
    <>
      <Switch
        className="flex w-full justify-between"
        hint={theme === 'system' ? 'Follows your device until you choose.' : undefined}
        checked={theme === 'dark' || (theme === 'system' && systemIsDark)}
        onChange={(dark) => setTheme(dark ? 'dark' : 'light')}
      >
        Dark mode
      </Switch>
      {theme !== 'system' && (
        <button type="button" className="link reach text-sm" onClick={() => setTheme('system')}>
          Follow my device
        </button>
      )}
    </>
  );
}
