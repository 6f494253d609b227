import { createContext, useContext, useDeferredValue, useMemo, type ReactNode } from 'react';
import type { Filter } from '@forecourt/shared-contracts/entities';
import { createLabels, type LabelOf } from '@forecourt/shared-contracts/catalog';
import type { SlugReference } from '@forecourt/shared-contracts/criteria';
import { usePageState } from '@forecourt/shared-contracts/store';
import { modelOwners } from '../search/modelOwners.ts';

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
