import { createContext, useContext, useDeferredValue, useMemo, type ReactNode } from 'react';
import { createLabels, type LabelOf } from '@forecourt/search/catalog';
import { EMPTY_SLUG_REFERENCE, type SlugReference } from '@forecourt/search/criteria';
import { usePageState } from '@forecourt/slots';
import type { Filter } from '@forecourt/upstream/entities';

const optionsOf = (filters: readonly Filter[], name: string) =>
  filters.find((filter) => filter.name === name)?.options ?? [];

/**
 * Makes by model, from the groups of the model options (a make's code or name). Used to remove models together with
 * their make.
 */
function modelOwners(filters: readonly Filter[]): SlugReference {
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
  /** Filters of the last response; empty before the first. */
  readonly filters: readonly Filter[];
  readonly labelOf: LabelOf;
  /** Makes by model, as far as the response names them. */
  readonly reference: SlugReference;
}

const PanelDataContext = createContext<PanelData | null>(null);

/** Provides the page's filters. They are deferred: selected states come from the criteria and don't wait for them. */
export function PanelDataProvider({ children }: { children: ReactNode }): ReactNode {
  return <OptionsProvider filters={usePageState(({ search }) => search.filters)}>{children}</OptionsProvider>;
}

/** Provides other filters than the page's. */
export function OptionsProvider(props: { filters: readonly Filter[]; children: ReactNode }): ReactNode {
  const filters = useDeferredValue(props.filters);
  const data = useMemo(
    () => ({ filters, labelOf: createLabels({ filters }), reference: modelOwners(filters) }),
    [filters],
  );
  return <PanelDataContext value={data}>{props.children}</PanelDataContext>;
}

/** Filter options and labels for the panel's controls. */
export function usePanelData(): PanelData {
  const data = useContext(PanelDataContext);
  if (!data) throw new Error('usePanelData must be used inside a PanelDataProvider');
  return data;
}

/** The response's filter of that name. */
export const useFilter = (name: string): Filter | undefined =>
  usePanelData().filters.find((filter) => filter.name === name);
