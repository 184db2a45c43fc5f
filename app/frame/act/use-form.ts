import { zodResolver } from '@hookform/resolvers/zod';
import {
  type ChangeHandler,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type UseFormProps,
  type UseFormReturn,
  useForm as useLibraryForm,
} from 'react-hook-form';
import type { ZodMiniType } from 'zod/mini';
import type { Problem } from '#app/ui/controls/error-summary.tsx';

export type FormOptions<Fields extends FieldValues, Output> = Omit<
  UseFormProps<Fields, unknown, Output>,
  'defaultValues' | 'resolver'
> & {
  /** What a form that can be sent fulfils, with a sentence for each field that does not. */
  schema: ZodMiniType<Output, Fields>;
  /**
   * A value for every field, of the field's own type: a field without one would be undefined until it is
   * touched.
   */
  defaultValues: Fields & DefaultValues<Fields>;
};

/**
 * react-hook-form's `useForm`, in which a field's value is always of the field's type. The library reads a
 * radio group again from its inputs whenever one of them is left, and takes a group in which nothing is
 * chosen for `null`; here that group keeps the value it has.
 */
export function useForm<Fields extends FieldValues, Output>({
  schema,
  ...options
}: FormOptions<Fields, Output>): UseFormReturn<Fields, unknown, Output> {
  const form = useLibraryForm<Fields, unknown, Output>({ ...options, resolver: zodResolver(schema) });
  return {
    ...form,
    register(name, rules) {
      const control = form.register(name, rules);
      return {
        ...control,
        onChange: (event) => control.onChange(withValue(form, event)),
        onBlur: (event) => control.onBlur(withValue(form, event)),
      };
    },
  };
}

/**
 * The event of a radio button as one that carries the group's value, so that the library does not read the
 * inputs.
 */
function withValue<Fields extends FieldValues, Output>(
  form: UseFormReturn<Fields, unknown, Output>,
  event: Parameters<ChangeHandler>[0],
) {
  const { type, target } = event;
  if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return event;
  const name = target.name as FieldPath<Fields>;
  return { type, target: { name, value: target.checked ? target.value : form.getValues(name) } };
}

/** The errors of a form's fields, for its summary; those of a group or of the rows of a list by their path: "parts.0.cost". */
export const problemsOf = (errors: FieldErrors, path = ''): Problem[] =>
  Object.entries(errors).flatMap(([name, error]) => {
    if (!error) return [];
    if (typeof error.message === 'string') return [{ id: path + name, message: error.message }];
    return problemsOf(error as FieldErrors, `${path}${name}.`);
  });
