import { expect, it } from 'vitest';
import { captchaScript, captchaSources } from './settings.ts';

it('lets the provider’s hosts through and no other, and none where there is no captcha', () => {
  expect(captchaSources(null)).toBe('');
  expect(captchaSources({ provider: 'turnstile', siteKey: '' })).toBe('https://challenges.cloudflare.com');
  expect(captchaSources({ provider: 'hcaptcha', siteKey: '' })).toBe(
    'https://hcaptcha.com https://*.hcaptcha.com',
  );
  expect(new URL(captchaScript({ provider: 'turnstile', siteKey: '' })).origin).toBe(
    'https://challenges.cloudflare.com',
  );
  expect(new URL(captchaScript({ provider: 'hcaptcha', siteKey: '' })).hostname).toMatch(/\.hcaptcha\.com$/);
});
