import { useQuery } from '@tanstack/react-query';
import { browserClient } from '#app/supabase.ts';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { Panel } from '#app/ui/surfaces/panel.tsx';
import { settingsQuery } from './data.ts';
import { Invitations } from './invitations.tsx';
import { InviteForm } from './invite-form.tsx';
import { LogoField } from './logo-field.tsx';
import { Registers } from './registers.tsx';
import { type SettingsDraft, SettingsForm } from './settings-form.tsx';

interface SiteSettingsProps {
  /** What was changed and not saved yet; the dashboard keeps it while another section is shown. */
  draft: SettingsDraft;
  onChange: (draft: SettingsDraft) => void;
}

/** What admins decide about the whole site: its name, who joins, and the registers that members choose from. */
export function SiteSettings({ draft, onChange }: SiteSettingsProps) {
  const settings = useQuery(settingsQuery(browserClient));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {settings.data ? (
        <SettingsForm stored={settings.data} draft={draft} onChange={onChange} />
      ) : (
        <NotLoaded loading="Loading the settings" failed="Failed to load the settings" query={settings} />
      )}
      {settings.data && (
        <Panel
          title="Logo"
          hint="Shown next to the name of the site and as its icon, in a square with nothing cut off."
        >
          <LogoField logo={settings.data.logo_url} />
        </Panel>
      )}
      <Panel title="Invite someone" hint="Invitations are valid for 30 days, for any email address.">
        <InviteForm />
        <Invitations />
      </Panel>
      <Panel title="Registers" hint="Members name one when they state their registration.">
        <Registers />
      </Panel>
    </div>
  );
}
