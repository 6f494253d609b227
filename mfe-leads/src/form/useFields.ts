import { useState } from 'react';
import { useLeads } from '../state/leadsContext.ts';
import { withFormField, withoutForm } from '../state/drafts.ts';

/** Field values of a form, as typed. */
export interface Fields<Name extends string> {
  /** In form order: the first invalid one gets the focus. */
  readonly names: readonly Name[];
  readonly values: Readonly<Record<Name, string>>;
  readonly change: (name: Name, value: string) => void;
}

const withDefaults = <Name extends string>(
  names: readonly Name[],
  values: Partial<Readonly<Record<Name, string>>>,
): Readonly<Record<Name, string>> =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? ''])) as Record<Name, string>;

/** Fields that live as long as their form. */
export function useFields<Name extends string>(
  names: readonly Name[],
  initial: Partial<Readonly<Record<Name, string>>> = {},
): Fields<Name> {
  const [values, setValues] = useState(() => withDefaults(names, initial));
  return {
    names,
    values,
    // Functional update: autofill changes several fields at once.
    change: (name, value) => setValues((last) => ({ ...last, [name]: value })),
  };
}

/** Fields of a dialog's form. The text survives closing the dialog and reloading the page. */
export function useDraftFields<Name extends string>(
  form: string,
  names: readonly Name[],
): Fields<Name> & { readonly clear: () => void } {
  const { drafts, setDrafts } = useLeads();
  const draft: Partial<Readonly<Record<string, string>>> = drafts.forms[form] ?? {};
  return {
    names,
    values: withDefaults(names, draft),
    // Functional update: autofill changes several fields at once.
    change: (name, value) => setDrafts((last) => withFormField(last, form, name, value)),
    clear: () => setDrafts((last) => withoutForm(last, form)),
  };
}

export const trimmedValues = <Name extends string>({
  names,
  values,
}: Fields<Name>): Readonly<Record<Name, string>> =>
  Object.fromEntries(names.map((name) => [name, values[name].trim()])) as Record<Name, string>;
