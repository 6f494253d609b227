import { useState } from 'react';

/** The fields of a form as they are typed. */
export interface Fields<Name extends string> {
  /** In the order of the form: the first wrong one gets the focus. */
  readonly names: readonly Name[];
  readonly values: Readonly<Record<Name, string>>;
  readonly change: (name: Name, value: string) => void;
}

export const valuesOf = <Name extends string>(
  names: readonly Name[],
  given: Partial<Readonly<Record<Name, string>>>,
): Readonly<Record<Name, string>> =>
  Object.fromEntries(names.map((name) => [name, given[name] ?? ''])) as Record<Name, string>;

/** Fields that live as long as their form. They are empty but for `initial`. */
export function useFields<Name extends string>(
  names: readonly Name[],
  initial: Partial<Readonly<Record<Name, string>>> = {},
): Fields<Name> {
  const [values, setValues] = useState(() => valuesOf(names, initial));
  return {
    names,
    values,
    // From the latest values: autofill changes several fields at once.
    change: (name, value) => setValues((last) => ({ ...last, [name]: value })),
  };
}

/** Without the blanks around what was typed. */
export const trimmed = <Name extends string>({
  names,
  values,
}: Fields<Name>): Readonly<Record<Name, string>> =>
  Object.fromEntries(names.map((name) => [name, values[name].trim()])) as Record<Name, string>;
