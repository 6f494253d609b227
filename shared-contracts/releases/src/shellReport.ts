import { z } from 'zod';
import { refusalSchema } from './gate.ts';
import { remoteNameSchema, versionSchema } from './manifest.ts';
import { slotFiguresSchema } from './slotFigures.ts';

const count = z.number().int().nonnegative();
/** Outcomes within the report's window. */
const healthSchema = z.object({ good: count, bad: count });
/** One measure of a canary, beside the live release's. */
export const canaryMeasureSchema = z.object({
  /** A slot in renders of servers or in views of browsers, or a web vital of pages. */
  kind: z.enum(['server', 'browser', 'vital']),
  /** 'results'; 'LCP' or 'INP' */
  name: z.string().max(60),
  /** Slower measurements of a vital are bad; ms. */
  goodMs: z.number().positive().optional(),
  /** The page needs the slot: it is judged more strictly. */
  isRequired: z.boolean(),
  canary: healthSchema,
  live: healthSchema,
  /** That the canary is worse, since it began; see `Evidence`. */
  evidence: z.number().nonnegative(),
  /** The thresholds at which a shell ends the canary. */
  rule: z.object({ minFailures: count, minDifference: z.number(), minEvidence: z.number() }),
});

const failureSchema = z.object({
  at: z.iso.datetime(),
  code: z.string(),
  message: z.string(),
  stack: z.string().optional(),
});

/**
 * Response of a shell's `GET /releases/report`: what this replica serves and how its releases fare. Failures are text that
 * releases wrote: show it, never interpret it.
 */
export const shellReportSchema = z.object({
  /** 'ready', 'starting' or 'stopping'. */
  status: z.string(),
  startedAt: z.iso.datetime(),
  /** Revision of the pointers that it follows; absent before the first poll. */
  revision: count.optional(),
  /** Minutes that the counts below cover. */
  windowMinutes: z.number().positive(),
  remotes: z.record(
    remoteNameSchema,
    z.object({
      live: versionSchema,
      canary: z.object({ version: versionSchema, weight: z.number().min(0).max(100) }).optional(),
    }),
  ),
  /** Release ('mfe-results@1.4.0') that the pointers name and this shell refuses, with the reasons. */
  refused: z.record(z.string(), z.array(refusalSchema)),
  /** Canaries with the outcomes of the live release that they are compared with, of the last hour. */
  canaries: z.array(
    z.object({
      remote: remoteNameSchema,
      version: versionSchema,
      /** Required slots first; empty from shells that don't report them. */
      measures: z.array(canaryMeasureSchema).max(200).default([]),
    }),
  ),
  /** Slots of live releases that fail more often than in the release before, within an hour after it. */
  worse: z
    .array(
      z.object({
        remote: remoteNameSchema,
        version: versionSchema,
        /** Version that was live before. */
        previous: versionSchema,
        slot: z.string(),
        where: z.enum(['server', 'browser']),
        outcomes: z.object({ now: healthSchema, before: healthSchema }),
      }),
    )
    .default([]),
  /** By release and slot: renders on this server, and views in browsers. */
  slots: z.array(
    healthSchema.extend({
      release: z.string(),
      slot: z.string(),
      lastFailure: failureSchema.optional(),
      browser: healthSchema
        .extend({
          /** Failures by phase: 'load', 'evaluate', 'hydrate', 'render', 'run', 'budget'. Downloads that failed (`load`) are not bad views. */
          phases: z.record(z.string(), count),
          lastFailure: failureSchema.optional(),
          figures: slotFiguresSchema.optional(),
        })
        .optional(),
    }),
  ),
});
