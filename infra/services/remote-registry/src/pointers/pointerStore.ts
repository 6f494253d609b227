import { type PointerChange, pointerChangeSchema } from '@forecourt/cli/release';
import { pointersSchema, remoteNameSchema, versionSchema } from '@forecourt/shared-contracts/slots/release';
import { z } from 'zod';

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
