import { z } from 'zod';

/** A page over which the gate renders each slot of a release, on the server and in a browser. */
const gatePageSchema = z.object({
  /** For the gate's report. */
  name: z.string(),
  /** Path and query of the page. */
  url: z.string(),
  /** Kind of the page, e.g. 'results'. */
  kind: z.string(),
  /** The report shows what slots render on it; of extremes, it only says whether they render. */
  isShown: z.boolean(),
  /** State of the site. */
  state: z.looseObject({}),
  /** What each call of the site results in. */
  answers: z.record(z.string(), z.union([z.object({ code: z.string() }), z.object({ data: z.unknown() })])),
  /** The slots of remotes that the page has, and whether its HTML contains them. */
  slots: z.record(z.string(), z.enum(['server', 'browser'])),
});
export type GatePage = z.infer<typeof gatePageSchema>;

/** Response of a shell's `GET /releases/recorded-pages`. */
export const gatePagesSchema = z.array(gatePageSchema);

/** The pages on which a slot appears; slots that no page has are tried on those of the first kind. */
export function pagesWithSlot(slot: string, pages: readonly GatePage[]): readonly GatePage[] {
  const own = pages.filter(({ slots }) => Object.hasOwn(slots, slot));
  return own.length > 0 ? own : pages.filter(({ kind }) => kind === pages[0]?.kind);
}
