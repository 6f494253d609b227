import { remoteNameSchema, versionSchema } from '@forecourt/releases/manifest';
import { pointersSchema } from '@forecourt/releases/pointers';
import { canaryMeasureSchema, shellReportSchema } from '@forecourt/releases/shellReport';
import { z } from 'zod';
import { releaseIdSchema } from './releaseFiles.ts';

// Responses of the registry's API, except for pointers and manifests, which belong to the contract.

const pointerSchema = pointersSchema.shape.remotes.valueType;

/** Who moved a pointer (the name of the credential) and why; stored for people to read later. */
export const originSchema = z.object({
  by: z.string().min(1).max(100),
  why: z.string().trim().min(1).max(500).optional(),
  /** Whether the gate was skipped, in an emergency. */
  skipGate: z.literal(true).optional(),
});
export type Origin = z.infer<typeof originSchema>;

export const POINTER_VERBS = ['pointer', 'canary', 'promote', 'rollback', 'hold', 'resume'] as const;
export type PointerVerb = (typeof POINTER_VERBS)[number];

/** One history entry: the change that led to `revision`. */
export const pointerChangeSchema = originSchema.extend({
  revision: z.number().int().positive(),
  at: z.iso.datetime(),
  remote: remoteNameSchema,
  verb: z.enum(POINTER_VERBS),
  /** Null for the first pointer of a remote. */
  before: pointerSchema.nullable(),
  after: pointerSchema,
});
export type PointerChange = z.infer<typeof pointerChangeSchema>;

const count = z.number().int().nonnegative();

/** How a canary fares against the live release, over all shells that reported it. */
export const canaryReportSchema = z.object({
  remote: remoteNameSchema,
  live: versionSchema,
  canary: z.object({ version: versionSchema, weight: z.number() }),
  /** When its present share was set. */
  since: z.iso.datetime().optional(),
  /** Shells that reported it. */
  shells: count,
  windowMinutes: z.number().positive(),
  /** Each slot on servers and in browsers, required ones first, then web vitals. */
  measures: z.array(
    canaryMeasureSchema.extend({
      verdict: z.object({
        kind: z.enum(['worse', 'suspect', 'undecided', 'fine']),
        /** Until there is enough evidence; absent if that can't be told. */
        minutesLeft: z.number().optional(),
      }),
    }),
  ),
});

const placeHealthSchema = z.object({
  good: count,
  bad: count,
  lastFailure: z.object({ at: z.iso.datetime(), code: z.string(), message: z.string() }).optional(),
});

/** What is live where, and how it fares, over all shells that the registry watches. */
export const statusSchema = z.object({
  revision: count,
  shells: z.array(z.object({ url: z.string(), problem: z.string().optional() })),
  remotes: z.array(
    z.object({
      name: remoteNameSchema,
      live: versionSchema,
      /** Where a rollback leads. */
      previous: versionSchema.optional(),
      hold: originSchema.pick({ by: true, why: true }).optional(),
      canary: canaryReportSchema
        .pick({ measures: true })
        .extend(pointerSchema.shape.canary.unwrap().shape)
        .optional(),
      /** Slots that failed within the last ten minutes, most failures first. */
      failing: z.array(
        z.object({
          release: z.string(),
          slot: z.string(),
          server: placeHealthSchema,
          browser: placeHealthSchema,
        }),
      ),
      /** A slot that fails more often than in the release before: a reason to roll back. */
      worse: shellReportSchema.shape.worse.unwrap().element.optional(),
    }),
  ),
});

/** Remote to who holds it: its pointer changes by a rollback or the end of a canary only. */
export const holdsSchema = z.object({
  holds: z.record(
    remoteNameSchema,
    originSchema.pick({ by: true, why: true }).extend({ at: z.iso.datetime() }),
  ),
});

export const listSchema = z.object({
  releases: z.array(
    releaseIdSchema.extend({
      publishedAt: z.string(),
      bytes: z.number(),
      files: z.number(),
      /** Who published it, from which commit; absent if that was not stored. */
      by: z.string().optional(),
      commit: z.string().optional(),
      /** A build of `npm run dev`, which shells of visitors refuse. */
      development: z.literal(true).optional(),
    }),
  ),
});
export const historySchema = z.object({ changes: z.array(pointerChangeSchema) });
export const garbageSchema = z.object({
  removed: z.array(releaseIdSchema.extend({ publishedAt: z.string() })),
  dryRun: z.boolean(),
});
