import { withFormField, withoutForm } from '../email/drafts.ts';
import { useLeads } from '../host/leadsContext.ts';
import { valuesOf, type Fields } from './useFields.ts';

/** Fields of a dialog's form; what was typed is there again when it was closed by mistake. */
export function useKeptFields<Name extends string>(
  form: string,
  names: readonly Name[],
  initial: Partial<Readonly<Record<Name, string>>> = {},
): Fields<Name> & { readonly forget: () => void } {
  const { drafts, setDrafts } = useLeads();
  return {
    names,
    values: valuesOf(names, { ...initial, ...drafts.forms[form] }),
    // From the latest drafts: autofill changes several fields at once.
    change: (name, value) => setDrafts((last) => withFormField(last, form, name, value)),
    forget: () => setDrafts((last) => withoutForm(last, form)),
  };
}
