import { z } from 'zod';
import { refusalSchema } from './gate.ts';
import { remoteNameSchema, versionSchema } from './manifest.ts';

const count = z.number().int().nonnegative();
/** Outcomes within the report's window. */
const healthSchema = z.object({ good: count, bad: count });
/** A web vital of the pages with a release; `bad` measurements are slower than `goodMs`. */
const vitalSchema = z.object({
  /** 'LCP' or 'INP'; newer shells may compare others. */
  name: z.string().regex(/^[A-Z]{2,5}$/),
  goodMs: z.number().positive(),
  canary: healthSchema,
  live: healthSchema,
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
  /** Canaries with the outcomes of the live release that they are compared with. */
  canaries: z.array(
    z.object({
      remote: remoteNameSchema,
      version: versionSchema,
      canary: healthSchema,
      live: healthSchema,
      /** Empty from shells that don't report it. */
      speed: z.array(vitalSchema).max(10).default([]),
      /** The shell ends a canary with this many failures or slow measurements, this much more of them, at this many standard errors. */
      rule: z.object({ minFailures: count, minDifference: z.number(), minZ: z.number() }),
    }),
  ),
  /** Renders on this server by release and slot. */
  slots: z.array(
    healthSchema.extend({
      release: z.string(),
      slot: z.string(),
      lastFailure: z
        .object({
          at: z.iso.datetime(),
          code: z.string(),
          message: z.string(),
          stack: z.string().optional(),
        })
        .optional(),
    }),
  ),
});
