/** What differs per response; it travels in the header Server-Timing, which scripts can read without a request. */
export interface ResponseFacts {
  /** Id of the request that loaded the page. */
  readonly requestId: string;
  /** Sent back with the page's failures; empty if it has neither live releases nor canaries. */
  readonly failureClaim: string;
  /** Names the trace of the request to the browser, if both are recorded. */
  readonly trace?: string | undefined;
  /** Hash in base64url of the dictionary for the next pages, if the browser should fetch it. */
  readonly dictionary?: string | undefined;
}

const REQUEST_METRIC = 'request';
const CLAIM_METRIC = 'claim';
export const TRACE_METRIC = 'trace';
export const DICTIONARY_METRIC = 'dictionary';

/** The value of Server-Timing. `outcome`: how the page was made. */
export const serverTimingOf = (
  outcome: string,
  { requestId, failureClaim, trace, dictionary }: ResponseFacts,
): string =>
  [
    `page;desc="${outcome}"`,
    `${REQUEST_METRIC};desc="${requestId}"`,
    ...(failureClaim === '' ? [] : [`${CLAIM_METRIC};desc="${failureClaim}"`]),
    ...(trace === undefined ? [] : [`${TRACE_METRIC};desc="${trace}"`]),
    ...(dictionary === undefined ? [] : [`${DICTIONARY_METRIC};desc="${dictionary}"`]),
  ].join(', ');

/** Reads the page view of a navigation. Browsers without Server-Timing report without a claim, which doesn't count. */
export function readResponseFacts(
  timings: readonly { readonly name: string; readonly description: string }[] = [],
): ResponseFacts {
  const read = (metric: string) => timings.find(({ name }) => name === metric)?.description ?? '';
  return { requestId: read(REQUEST_METRIC), failureClaim: read(CLAIM_METRIC) };
}
