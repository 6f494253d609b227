import { pointersSchema, remoteNameSchema, versionSchema } from '@forecourt/shared-contracts/slots/release';
import { z } from 'zod';

const pointerSchema = pointersSchema.shape.remotes.valueType;

/** Who moved a pointer, and why; both as the writer says, for people to read later. */
export const originSchema = z.object({
  by: z.string().trim().min(1).max(100).default('unknown'),
  why: z.string().trim().min(1).max(500).optional(),
  /** In an emergency no shell was asked whether it accepts the release. */
  skipGate: z.literal(true).optional(),
});
export type Origin = z.infer<typeof originSchema>;

export const POINTER_VERBS = ['pointer', 'canary', 'promote', 'rollback'] as const;
export type PointerVerb = (typeof POINTER_VERBS)[number];

/** One entry of the history: a change that led to `revision`. */
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

/**
 * The pointers, the change that led here, and what a rollback needs: the
 * versions that were live before, oldest first.
 */
export const pointerRecordSchema = pointersSchema.extend({
  change: pointerChangeSchema.optional(),
  history: z.record(
    remoteNameSchema,
    z.array(z.object({ version: versionSchema, replacedAt: z.iso.datetime() })),
  ),
});
export type PointerRecord = z.infer<typeof pointerRecordSchema>;

export const noPointers: PointerRecord = { revision: 0, remotes: {}, history: {} };

/** Where the pointers live. */
export interface PointerStore {
  readPointers(): Promise<PointerRecord>;
  /**
   * Compare-and-set: throws REVISION_CHANGED unless the stored record still has
   * `expectedRevision`. The change of the replaced record joins the history
   * first, so that no crash can lose an entry or add one of a write that failed.
   */
  writePointers(next: PointerRecord, expectedRevision: number): Promise<void>;
  /** Changes before `beforeRevision` (default: all), newest first, at most `limit`. Append-only. */
  readChanges(options: { limit: number; beforeRevision?: number | undefined }): Promise<PointerChange[]>;
}
