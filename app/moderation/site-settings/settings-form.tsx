import { useState } from 'react';
import { useAction } from '#app/frame/act/use-action.ts';
import type { SiteSettings } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Radio } from '#app/ui/controls/checkbox-radio.tsx';
import { characterCount, Field, FieldGroup, keepFieldOnPress } from '#app/ui/controls/field.tsx';
import { Input, Select, Textarea } from '#app/ui/controls/input.tsx';
import { Switch } from '#app/ui/controls/switch.tsx';
import { Panel } from '#app/ui/surfaces/panel.tsx';
import { AccentField } from './accent-field.tsx';
import { MAX_LENGTHS, saveSettings } from './data.ts';

const signUps = [
  ['open', 'Anyone can sign up'],
  ['invite', 'Only people you have invited can sign up'],
  ['closed', 'No one can sign up'],
] as const;

/** As the database has it. */
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/;
const domainsIn = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((domain) => domain.replace(/^@/, ''))
    .filter(Boolean);

type Values = SiteSettings & { domains: string };
export type SettingsDraft = Partial<Values>;

interface SettingsFormProps {
  stored: SiteSettings;
  draft: SettingsDraft;
  onChange: (draft: SettingsDraft) => void;
}

/** The settings that one button saves. */
export function SettingsForm({ stored, draft, onChange }: SettingsFormProps) {
  const before: Values = { ...stored, domains: stored.email_domains.join(', ') };
  const [isTried, setIsTried] = useState(false);
  const values = { ...before, ...draft };
  const change = <Name extends keyof Values>(name: Name, value: Values[Name]) => {
    const { [name]: _, ...others } = draft;
    onChange(value === before[name] ? others : { ...draft, [name]: value });
  };
  const saving = useAction({
    act: async () => {
      const { domains, ...others } = draft;
      await saveSettings(await browserClient(), {
        ...others,
        ...(domains !== undefined && { email_domains: domainsIn(domains) }),
      });
    },
    done: { title: 'Settings saved', text: 'Reload open pages to see the changes.' },
    failed: 'Failed to save settings',
    onDone: () => onChange({}),
    refresh: [['moderation', 'settings']],
  });
  const wrong = domainsIn(values.domains).find((domain) => !DOMAIN.test(domain));
  const found: { name?: string; colour?: string; domains?: string } = {
    ...(!values.site_name.trim() && { name: 'Enter a name' }),
    ...(!/^\s*(?:#[\da-f]{6})?\s*$/i.test(values.accent_colour) && {
      colour: 'Write a colour as # and six digits of 0-9 and a-f',
    }),
    ...(wrong !== undefined && { domains: `“${wrong}” is not a domain. Enter one such as clinic.example` }),
  };
  const errors = isTried ? found : {};
  const submit = () => {
    if (saving.isPending) return;
    setIsTried(true);
    const [first] = Object.keys(found);
    if (first) return document.getElementById(`site-${first}`)?.focus();
    saving.mutate();
  };
  return (
    <form
      method="dialog"
      noValidate
      aria-label="Settings of the site"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onMouseDown={keepFieldOnPress}
    >
      <Panel title="Settings">
        <div className="mt-5 flex flex-col gap-6">
          <Field
            id="site-name"
            label="Name of the site"
            hint="On every page, in emails, feeds and citations."
            note={characterCount(values.site_name, MAX_LENGTHS.site_name)}
            error={errors.name}
          >
            <Input
              value={values.site_name}
              maxLength={MAX_LENGTHS.site_name}
              onChange={(event) => change('site_name', event.target.value)}
              autoComplete="off"
            />
          </Field>
          <Field label="Welcome text" optional hint="On the home page, under its first lines.">
            <Textarea
              rows={3}
              value={values.welcome_text}
              maxLength={MAX_LENGTHS.welcome_text}
              onChange={(event) => change('welcome_text', event.target.value)}
            />
          </Field>
          <AccentField
            value={values.accent_colour}
            error={errors.colour}
            onChange={(colour) => change('accent_colour', colour)}
          />
          <FieldGroup radios legend="New accounts" id="sign-up">
            {signUps.map(([value, label]) => (
              <Radio
                key={value}
                name="sign-up"
                value={value}
                checked={values.sign_up === value}
                onChange={() => change('sign_up', value)}
              >
                {label}
              </Radio>
            ))}
          </FieldGroup>
          <Field
            id="site-domains"
            label="Allowed email domains"
            optional
            hint="Separate them by commas, such as clinic.example, nhs.example. Leave this empty to allow any. People you invite can use any."
            error={errors.domains}
          >
            <Input
              value={values.domains}
              onChange={(event) => change('domains', event.target.value)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <Field
            label="First posts to review"
            hint="Comments, topics and replies of each new member that wait for a moderator before others see them. Members with a role or a checked registration never wait."
          >
            <Select
              value={values.reviewed_first_posts}
              onChange={(event) => change('reviewed_first_posts', Number(event.target.value))}
              className="w-36"
            >
              {Array.from({ length: 11 }, (_, count) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the choices are these numbers
                <option key={count} value={count}>
                  {count || 'None'}
                </option>
              ))}
            </Select>
          </Field>
          <div className="-my-2 divide-y">
            <Switch
              hint="Without it, moderators and admins can’t use their powers. You need it yourself before you turn this on."
              checked={values.staff_second_step}
              onChange={(on) => change('staff_second_step', on)}
              className="flex w-full justify-between py-2"
            >
              Require two-step sign-in of moderators and admins
            </Switch>
            <Switch
              hint="Members keep what they have earned while this is off."
              checked={values.show_points}
              onChange={(on) => change('show_points', on)}
              className="flex w-full justify-between py-2"
            >
              Show points and badges
            </Switch>
            <Switch
              hint="While this is off, authors read “a moderator” in decisions, notifications and emails. Turning it off removes the names from earlier ones for good. Moderators and the audit log still see who decided."
              checked={values.names_moderators}
              onChange={(on) => change('names_moderators', on)}
              className="flex w-full justify-between py-2"
            >
              Show authors the names of moderators
            </Switch>
          </div>
          <div className="flex flex-wrap gap-3">
            <Button
              onClick={() => {
                setIsTried(false);
                onChange({});
              }}
            >
              Cancel
            </Button>
            <Button type="submit" variant="primary" busy={saving.isPending && 'Saving'}>
              Save Changes
            </Button>
          </div>
        </div>
      </Panel>
    </form>
  );
}
