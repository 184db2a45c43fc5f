import { setTheme, useIsDark, useTheme } from '#app/frame/layout/theme.ts';
import { Switch } from '#app/ui/controls/switch.tsx';

/** Takes effect immediately, since the change is visible. */
export function DarkMode() {
  const theme = useTheme();
  return (
    <>
      <Switch
        className="flex w-full justify-between"
        hint={theme === 'system' ? 'Matches your device unless you change it.' : undefined}
        checked={useIsDark()}
        onChange={(dark) => setTheme(dark ? 'dark' : 'light')}
      >
        Dark mode
      </Switch>
      {theme !== 'system' && (
        <button type="button" className="link reach text-sm" onClick={() => setTheme('system')}>
          Use device setting
        </button>
      )}
    </>
  );
}
