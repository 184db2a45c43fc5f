import { createContext } from 'react-router';

/** The captcha that the operator asks for at the doors strangers knock at. */
export interface CaptchaSettings {
  provider: 'turnstile' | 'hcaptcha';
  siteKey: string;
  /** In place of the provider's own host, for tests. */
  standIn?: string | undefined;
}

export const captchaContext = createContext<CaptchaSettings | null>(null);

const SCRIPTS = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
  hcaptcha: 'https://js.hcaptcha.com/1/api.js',
};
/** As the providers' own pages about content security policies have them. */
const SOURCES = {
  turnstile: 'https://challenges.cloudflare.com',
  hcaptcha: 'https://hcaptcha.com https://*.hcaptcha.com',
};

/** The address of the provider's script. */
export const captchaScript = ({ provider, standIn }: CaptchaSettings): string =>
  standIn ? new URL('api.js', standIn).href : SCRIPTS[provider];

/** What the content policy of a page must let through for the script, its frames and what these send. */
export const captchaSources = (captcha: CaptchaSettings | null): string =>
  captcha ? (captcha.standIn ? new URL(captcha.standIn).origin : SOURCES[captcha.provider]) : '';
