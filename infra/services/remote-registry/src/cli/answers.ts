import { z } from 'zod';
import { pointerChangeSchema } from '../pointers/pointerStore.ts';
import { releaseIdSchema } from '../releases/releaseStore.ts';

// What the registry answers to the commands, beside pointers and manifests.

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
