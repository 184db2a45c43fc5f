import { createContext } from 'react-router';

/** The captcha that the operator requires at unauthenticated endpoints. */
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
/** As the providers' documentation on content security policies lists them. */
const SOURCES = {
  turnstile: 'https://challenges.cloudflare.com',
  hcaptcha: 'https://hcaptcha.com https://*.hcaptcha.com',
};

/** The URL of the provider's script. */
export const captchaScript = ({ provider, standIn }: CaptchaSettings): string =>
  standIn ? new URL('api.js', standIn).href : SCRIPTS[provider];

/**
 * The sources that a page's content security policy must allow for the script, its frames and their requests.
 */
export const captchaSources = (captcha: CaptchaSettings | null): string =>
  captcha ? (captcha.standIn ? new URL(captcha.standIn).origin : SOURCES[captcha.provider]) : '';
