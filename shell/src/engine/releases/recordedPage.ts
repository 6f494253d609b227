import type { PageState } from '../pageState.ts';

/** A page over which the gate renders each slot of a release: its state, and the responses to the calls of its slots. */
export interface RecordedPage {
  /** For the gate's report. */
  readonly name: string;
  /** Path and query of the page. */
  readonly url: string;
  readonly state: PageState;
  /** Data of calls by name; a call without any fails. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The report shows what slots render on it; of extremes, it only says whether they render. */
  readonly isShown: boolean;
}
