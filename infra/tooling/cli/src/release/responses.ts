import { pointersSchema, remoteNameSchema } from '@forecourt/shared-contracts/slots/release';
import { z } from 'zod';
import { releaseIdSchema } from './format.ts';

// Responses of the registry's API, except for pointers and manifests, which belong to the contract.

const pointerSchema = pointersSchema.shape.remotes.valueType;

/** Who moved a pointer and why, as the caller states it; stored for people to read later. */
export const originSchema = z.object({
  by: z.string().trim().min(1).max(100).default('unknown'),
  why: z.string().trim().min(1).max(500).optional(),
  /** In an emergency, no shell was asked to accept the release. */
  skipGate: z.literal(true).optional(),
});
export type Origin = z.infer<typeof originSchema>;

export const POINTER_VERBS = ['pointer', 'canary', 'promote', 'rollback'] as const;
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

export const listSchema = z.object({
  releases: z.array(
    releaseIdSchema.extend({ publishedAt: z.string(), bytes: z.number(), files: z.number() }),
  ),
});
export const historySchema = z.object({ changes: z.array(pointerChangeSchema) });
export const garbageSchema = z.object({
  removed: z.array(releaseIdSchema.extend({ publishedAt: z.string() })),
  dryRun: z.boolean(),
});
