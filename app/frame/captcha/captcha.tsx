import { useEffect, useId, useRef, useState } from 'react';
import { useRouteLoaderData } from 'react-router';
import { messageOf } from '#app/errors.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { FieldGroup } from '#app/ui/controls/field.tsx';
import { type CaptchaSettings, captchaScript } from './settings.ts';

/** The global object that the scripts of both providers define. */
interface Widgets {
  render(
    container: HTMLElement,
    options: {
      sitekey: string;
      theme: 'light' | 'dark';
      callback: (token: string) => void;
      'expired-callback': () => void;
      'error-callback': () => void;
    },
  ): string | number;
  reset(id: string | number): void;
  remove(id: string | number): void;
}

/**
 * The captcha token a request carries to show that a person sent it; empty where no captcha is configured.
 */
export interface CaptchaProof {
  captchaToken?: string;
}

const ONLOAD_CALLBACK = 'captchaReady';
let loading: Promise<Widgets> | undefined;

/** Loads the provider's script once; after a failure the next call tries again. */
function loadWidgets(settings: CaptchaSettings): Promise<Widgets> {
  loading ??= new Promise<Widgets>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${captchaScript(settings)}?render=explicit&onload=${ONLOAD_CALLBACK}`;
    Reflect.set(window, ONLOAD_CALLBACK, () => resolve(Reflect.get(window, settings.provider)));
    script.onerror = () => {
      script.remove();
      loading = undefined;
      reject(new Error('The captcha’s script could not be loaded'));
    };
    document.head.append(script);
  });
  return loading;
}

/** The message for a refusal; the server's wording for an unsolved captcha is meant for programs. */
export const refusalOf = (error: unknown, fallback: string): string =>
  error && typeof error === 'object' && 'code' in error && error.code === 'captcha_failed'
    ? 'The check that you’re a person didn’t succeed. Please complete it again.'
    : messageOf(error, fallback);

/**
 * The captcha of a form, where the operator has configured one.
 *
 * @returns the field to show before the form's button, and `prove`, which returns the request's token once
 * and begins a fresh challenge, or undefined, with a message in the field, when the present challenge is not
 * solved
 */
export function useCaptcha() {
  const settings = useRouteLoaderData<{ captcha: CaptchaSettings | null }>('root')?.captcha;
  const id = useId();
  const container = useRef<HTMLDivElement>(null);
  const widget = useRef<{ api: Widgets; id: string | number }>(undefined);
  /** Not state: a form that is sent in the instant after the check is solved must already carry its token. */
  const token = useRef<string>(undefined);
  const [missing, setMissing] = useState(false);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try begins again
  useEffect(() => {
    if (!settings) return;
    let cancelled = false;
    const clearToken = () => {
      token.current = undefined;
    };
    loadWidgets(settings).then(
      (api) => {
        if (cancelled || !container.current) return;
        const widgetId = api.render(container.current, {
          sitekey: settings.siteKey,
          theme: getComputedStyle(container.current).colorScheme === 'dark' ? 'dark' : 'light',
          callback: (solved) => {
            token.current = solved;
            setMissing(false);
          },
          'expired-callback': clearToken,
          'error-callback': clearToken,
        });
        widget.current = { api, id: widgetId };
      },
      () => setFailed(!cancelled),
    );
    return () => {
      cancelled = true;
      widget.current?.api.remove(widget.current.id);
      widget.current = undefined;
      clearToken();
    };
  }, [settings, tries]);

  const requestToken = (): CaptchaProof | undefined => {
    if (!settings) return {};
    const captchaToken = token.current;
    if (!captchaToken) {
      setMissing(true);
      return undefined;
    }
    token.current = undefined;
    widget.current?.api.reset(widget.current.id);
    return { captchaToken };
  };
  const field = settings && (
    <FieldGroup
      id={id}
      legend="Check that you are a person"
      error={missing && !failed ? 'Please complete the check.' : undefined}
    >
      {failed ? (
        <div className="flex flex-col items-start gap-3">
          <p role="alert">
            The check could not be loaded. Something in your browser or network may be blocking{' '}
            {new URL(captchaScript(settings)).hostname}.
          </p>
          <Button
            onClick={() => {
              setFailed(false);
              setTries(tries + 1);
            }}
          >
            Try again
          </Button>
        </div>
      ) : (
        <div ref={container} className="min-h-[65px]" />
      )}
    </FieldGroup>
  );
  return { field, requestToken: requestToken };
}
