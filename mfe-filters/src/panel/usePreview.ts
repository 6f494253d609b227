import { useEffect, useState } from 'react';
import type { Filter } from '@forecourt/shared-contracts/entities';
import { type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { toSearchQuery } from '@forecourt/shared-contracts/query';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { selectSession, usePageState } from '@forecourt/shared-contracts/store';

export interface Preview {
  /** Filters of the draft; the page's until the first response. */
  readonly filters: readonly Filter[];
  /** Number of vehicles that match the draft; undefined if the call failed. */
  readonly total: number | undefined;
  readonly isPending: boolean;
}

/** Filters and total for a draft, without changing the page. A newer draft aborts the previous call. */
export function usePreview(draft: SearchCriteria): Preview {
  const { call } = useSlotEnvironment();
  const { brand, visitorZip } = usePageState(selectSession);
  const pageFilters = usePageState(({ search }) => search.filters);
  const pageTotal = usePageState(({ search }) => search.totalResultCount);
  const [start] = useState(draft);
  const [result, setResult] = useState<{
    readonly draft: SearchCriteria;
    readonly filters?: readonly Filter[];
    readonly total?: number;
  }>({ draft: start, total: pageTotal });
  useEffect(() => {
    if (draft === start) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const query = toSearchQuery(draft, { brand, ...(visitorZip !== null && { visitorZip }) });
    // Only the filters and the total are used.
    query.set('numRecords', '1');
    call('filterPreview', Object.fromEntries(query), { signal }).then(
      ({ filters, totalResultCount }) =>
        !signal.aborted && setResult({ draft, filters, total: totalResultCount }),
      () => !signal.aborted && setResult(({ filters }) => ({ draft, ...(filters && { filters }) })),
    );
    return () => controller.abort();
  }, [call, draft, start, brand, visitorZip]);
  return { filters: result.filters ?? pageFilters, total: result.total, isPending: result.draft !== draft };
}
