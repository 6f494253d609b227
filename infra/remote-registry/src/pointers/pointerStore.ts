import { pointersSchema, remoteNameSchema, versionSchema } from '@forecourt/shared-contracts/slots/release';
import { z } from 'zod';

/** The pointers plus what a rollback needs: the versions that were live before, oldest first. */
export const pointerRecordSchema = pointersSchema.extend({
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
  /** Compare-and-set: throws REVISION_CHANGED unless the stored record still has `expectedRevision`. */
  writePointers(next: PointerRecord, expectedRevision: number): Promise<void>;
}
