import type { Filter } from '@forecourt/shared-contracts/entities';
import { EMPTY_SLUG_REFERENCE, type SlugReference } from '@forecourt/shared-contracts/criteria';
import { createLabels, type LabelOf } from '@forecourt/shared-contracts/catalog';
import { createContext, useContext, useDeferredValue, useMemo, type ReactNode } from 'react';
import { usePageState } from '@forecourt/shared-contracts/store';
const optionsOf = (filters: readonly Filter[], name: string) =>
  filters.find((filter) => filter.name === name)?.options ?? [];

/**
 * What the panel knows about makes and models: the groups of the answer's
 * model options, each the make's code or its name. Enough to drop the right
 * models with their make (AMB-080).
 */
export function modelOwners(filters: readonly Filter[]): SlugReference {
  const makes = new Map(
    optionsOf(filters, 'makeCode').flatMap(({ value, label }) => [
      [label, value],
      [value, value],
    ]),
  );
  const owners = new Map<string, string[]>();
  for (const { value, group } of optionsOf(filters, 'modelCode')) {
    const make = group === undefined ? undefined : makes.get(group);
    if (make !== undefined) owners.set(value, [...(owners.get(value) ?? []), make]);
  }
  return { ...EMPTY_SLUG_REFERENCE, makesOfModel: (model) => owners.get(model) ?? [] };
}

interface PanelData {
  /** The last answer's filters; empty before there is one. */
  readonly filters: readonly Filter[];
  readonly labelOf: LabelOf;
  /** Which make a model belongs to, as far as the answer says. */
  readonly reference: SlugReference;
}

const PanelDataContext = createContext<PanelData | null>(null);

/** The options follow an answer in slices: what a click changes follows the criteria, which wait for nothing. */
export function PanelDataProvider({ children }: { children: ReactNode }): ReactNode {
  return <OptionsProvider filters={usePageState(({ search }) => search.filters)}>{children}</OptionsProvider>;
}

/** The same for options of an answer that is not the page's. */
export function OptionsProvider(props: { filters: readonly Filter[]; children: ReactNode }): ReactNode {
  const filters = useDeferredValue(props.filters);
  const data = useMemo(
    () => ({ filters, labelOf: createLabels({ filters }), reference: modelOwners(filters) }),
    [filters],
  );
  return <PanelDataContext value={data}>{props.children}</PanelDataContext>;
}

/** What the panel's controls read beside the criteria; throws outside of its provider. */
export function usePanelData(): PanelData {
  const data = useContext(PanelDataContext);
  if (!data) throw new Error('usePanelData is only for components inside a PanelDataProvider');
  return data;
}

/** The answer's filter of that name. */
export const useFilter = (name: string): Filter | undefined =>
  usePanelData().filters.find((filter) => filter.name === name);
