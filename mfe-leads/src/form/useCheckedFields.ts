import { useEffect, useRef, useState, type RefObject } from 'react';
import type { FieldProps } from './Field.tsx';
import { loadCheck, type Check, type FieldErrors, type FormName } from './forms.ts';
import { trimmed, type Fields } from './useFields.ts';

/** Fields with their errors, in one form element. */
export interface CheckedFields<Name extends string> {
  readonly formRef: RefObject<HTMLFormElement | null>;
  /** What a field shows and does. */
  readonly bind: (name: Name) => Pick<FieldProps, 'name' | 'value' | 'error' | 'onChange'>;
  /** Shows the errors of a body and leads to the first wrong field; false when there is one. */
  readonly check: (body: unknown) => Promise<boolean>;
}

/** Error of fields that the body has not, e.g. because they become part of its words. */
export type FieldRules<Name extends string> = Partial<
  Readonly<Record<Name, (typed: string) => string | undefined>>
>;

/**
 * Checks fields by the schema of their form: on `check`, and from then on each
 * wrong field at every change, so that its error goes as soon as it is right.
 */
export function useCheckedFields<Name extends string>({
  form,
  fields,
  bodyOf,
  rules = {},
}: {
  readonly form: FormName;
  readonly fields: Fields<Name>;
  /** The body which the schema knows, from the trimmed fields. */
  readonly bodyOf: (typed: Readonly<Record<Name, string>>) => unknown;
  readonly rules?: FieldRules<Name> | undefined;
}): CheckedFields<Name> {
  const formRef = useRef<HTMLFormElement>(null);
  const checkRef = useRef<Promise<Check>>(undefined);
  const [errors, setErrors] = useState<FieldErrors>({});
  const latest = useRef(fields);
  useEffect(() => {
    checkRef.current ??= loadCheck();
    // What was typed into the server's HTML stands there, but nobody heard it.
    const { names, values, change } = latest.current;
    for (const name of names) {
      const control = formRef.current?.elements.namedItem(name);
      if (control instanceof HTMLInputElement && control.value !== values[name]) change(name, control.value);
    }
  }, []);

  const errorsOf = async (typed: Readonly<Record<Name, string>>, body: unknown): Promise<FieldErrors> => {
    const wrong = (await (checkRef.current ??= loadCheck()))(form, body);
    const ruled = fields.names.map((name) => [name, rules[name]?.(typed[name]) ?? wrong[name]] as const);
    return Object.fromEntries<string | undefined>(ruled);
  };
  const recheck = async (name: Name, value: string) => {
    const typed = trimmed({ ...fields, values: { ...fields.values, [name]: value } });
    const error = (await errorsOf(typed, bodyOf(typed)))[name];
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
      const wrong = await errorsOf(trimmed(fields), body);
      setErrors(wrong);
      const first = fields.names.find((name) => wrong[name]);
      if (first) formRef.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
      return first === undefined;
    },
  };
}
