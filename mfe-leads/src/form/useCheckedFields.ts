import { useEffect, useRef, useState, type RefObject } from 'react';
import type { FormName } from './checks.ts';
import type { FieldProps } from './Field.tsx';
import { type Fields, trimmedValues } from './useFields.ts';

/** Error of each invalid field, by name. */
type FieldErrors = Readonly<Record<string, string | undefined>>;

type FieldCheck = (form: FormName, body: unknown) => FieldErrors;

/** Loads the schemas; if that fails, only the server validates. */
export const loadCheck = (): Promise<FieldCheck> =>
  import(/* webpackChunkName: "form-checks" */ './checks.ts').then(
    ({ errorsOf }) => errorsOf,
    () => () => ({}),
  );

/** Fields of one form element, with their errors. */
export interface CheckedFields<Name extends string> {
  readonly formRef: RefObject<HTMLFormElement | null>;
  /** Props of a field. */
  readonly bind: (name: Name) => Pick<FieldProps, 'name' | 'value' | 'error' | 'onChange'>;
  /** Shows the errors of a body and focuses the first invalid field; resolves to true when there is none. */
  readonly check: (body: unknown) => Promise<boolean>;
}

/** Validates fields that the body's schema does not have. */
export type FieldRules<Name extends string> = Partial<
  Readonly<Record<Name, (typed: string) => string | undefined>>
>;

/** Validates fields by their form's schema: all of them on `check`, then each invalid one on every change. */
export function useCheckedFields<Name extends string>({
  form,
  fields,
  bodyOf,
  rules = {},
}: {
  readonly form: FormName;
  readonly fields: Fields<Name>;
  /** Builds the body for the schema from the trimmed fields. */
  readonly bodyOf: (typed: Readonly<Record<Name, string>>) => unknown;
  readonly rules?: FieldRules<Name> | undefined;
}): CheckedFields<Name> {
  const formRef = useRef<HTMLFormElement>(null);
  const checkRef = useRef<Promise<FieldCheck>>(undefined);
  const [errors, setErrors] = useState<FieldErrors>({});
  const initialFields = useRef(fields);
  useEffect(() => {
    checkRef.current ??= loadCheck();
    // Picks up what was typed into the server's HTML before hydration.
    const { names, values, change } = initialFields.current;
    for (const name of names) {
      const control = formRef.current?.elements.namedItem(name);
      if (control instanceof HTMLInputElement && control.value !== values[name]) change(name, control.value);
    }
  }, []);

  const errorsOf = async (typed: Readonly<Record<Name, string>>, body: unknown): Promise<FieldErrors> => {
    const schemaErrors = (await (checkRef.current ??= loadCheck()))(form, body);
    return Object.fromEntries<string | undefined>(
      fields.names.map((name) => [name, rules[name]?.(typed[name]) ?? schemaErrors[name]] as const),
    );
  };
  const recheck = async (name: Name, value: string) => {
    const values = trimmedValues({ ...fields, values: { ...fields.values, [name]: value } });
    const error = (await errorsOf(values, bodyOf(values)))[name];
    setErrors((last) => ({ ...last, [name]: error }));
  };
  return {
    formRef,
    bind: (name) => ({
      name,
      value: fields.values[name],
      error: errors[name],
      onChange(value) {
        fields.change(name, value);
        if (errors[name]) void recheck(name, value);
      },
    }),
    async check(body) {
      const fieldErrors = await errorsOf(trimmedValues(fields), body);
      setErrors(fieldErrors);
      const first = fields.names.find((name) => fieldErrors[name]);
      if (first) formRef.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
      return first === undefined;
    },
  };
}
