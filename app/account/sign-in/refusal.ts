import { refusalOf } from '#app/frame/captcha/captcha.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';

/** The code of an error of the sign-in service. */
export const codeOf = (error: unknown): unknown =>
  error && typeof error === 'object' && 'code' in error ? error.code : undefined;

/**
 * Says in a toast why signing in or up was refused.
 *
 * @param fallback said of an error without words of its own
 */
export const showRefusal = (error: unknown, fallback: string): void =>
  toast({ tone: 'error', title: 'Error', text: refusalOf(error, fallback) });
