/** How a page loaded; times are ms after the browser sent the request. */
export interface PageTrace {
  readonly trace: string;
  readonly spans: readonly { readonly name: string; readonly startMs: number; readonly ms: number }[];
}
