import { z } from 'zod';

/** In ms. */
export interface TrialTimes {
  /** In which a release must be loaded. */
  readonly loadMs: number;
  /** In which a slot must be interactive. */
  readonly readyMs: number;
}

/** What a page needs to load a release. */
export interface TrialTask extends TrialTimes {
  /** Global variable of its container. */
  readonly container: string;
  /** Slot to module key. */
  readonly exposes: Readonly<Record<string, string>>;
  /** URL and integrity, in the order in which they run. */
  readonly scripts: readonly (readonly [url: string, integrity: string])[];
  readonly styles: readonly (readonly [url: string, integrity: string])[];
  /** Number of renders, each of which it requests from `/render/0` on. */
  readonly renders: number;
}

/** One slot on a recorded page. */
export interface TrialRender {
  readonly slot: string;
  /** Index of the recorded page, which is at `/page/0` and so on. */
  readonly page: number;
  /** What the server rendered; undefined for a slot that browsers render. */
  readonly server?: { readonly html: string; readonly data?: unknown };
}

/** What a page has of a recorded page. */
export interface TrialPage {
  readonly name: string;
  readonly state: object;
  readonly answers: Readonly<Record<string, { readonly code: string } | { readonly data?: unknown }>>;
}

const faultSchema = z.object({
  kind: z.enum([
    /** Another HTML than the server's, or a view that throws. */
    'render',
    /** An exception or an error of the console. */
    'error',
    'policy',
    'leftover',
  ]),
  message: z.string(),
});
export type TrialFault = z.infer<typeof faultSchema>;

export const trialResultSchema = z.object({
  /** Why it did not load. */
  failure: z
    .object({ fault: z.enum(['ENTRY', 'SHARE_SCOPE', 'MODULE']).optional(), message: z.string() })
    .optional(),
  /** While it loaded. */
  loadFaults: z.array(faultSchema),
  /** Time of scripts and modules, in ms. */
  evaluationMs: z.number(),
  renders: z.array(
    z.object({
      slot: z.string(),
      page: z.number(),
      /** Until it was interactive. */
      ms: z.number(),
      /** After its effects. */
      html: z.string(),
      faults: z.array(faultSchema),
    }),
  ),
});
export type TrialResult = z.infer<typeof trialResultSchema>;
