import { useEffect, useState } from 'react';
import type { Filter } from '@forecourt/shared-contracts/entities';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { toSearchQuery } from '@forecourt/shared-contracts/query';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { selectSession, usePageState } from '@forecourt/shared-contracts/store';

export interface Preview {
  /** Options as the draft leaves them; until an answer, those of the page. */
  readonly filters: readonly Filter[];
  /** Vehicles that the draft finds; undefined when nobody could say. */
  readonly total: number | undefined;
  readonly isPending: boolean;
}

/**
 * What a draft of a search would find, counted while the shopper still chooses:
 * the page behind stays as it is. A newer draft calls the older question off.
 */
export function usePreview(draft: SearchCriteria): Preview {
  const { call } = useSlotEnvironment();
  const { brand, visitorZip } = usePageState(selectSession);
  const page = usePageState(({ search }) => search.filters);
  const pageTotal = usePageState(({ search }) => search.totalResultCount);
  const [start] = useState(draft);
  const [answer, setAnswer] = useState<{
    readonly draft: SearchCriteria;
    readonly filters?: readonly Filter[];
    readonly total?: number;
  }>({ draft: start, total: pageTotal });
  useEffect(() => {
    if (draft === start) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const query = toSearchQuery(draft, { brand, ...(visitorZip !== null && { visitorZip }) });
    // Options and total are all that is wanted.
    query.set('numRecords', '1');
    call('filterPreview', Object.fromEntries(query), { signal }).then(
      ({ filters, totalResultCount }) =>
        !signal.aborted && setAnswer({ draft, filters, total: totalResultCount }),
      () => !signal.aborted && setAnswer(({ filters }) => ({ draft, ...(filters && { filters }) })),
    );
    return () => controller.abort();
  }, [call, draft, start, brand, visitorZip]);
  return { filters: answer.filters ?? page, total: answer.total, isPending: answer.draft !== draft };
}
