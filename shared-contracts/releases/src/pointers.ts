import { z } from 'zod';
import { remoteNameSchema, versionSchema } from './manifest.ts';

/**
 * Response of the registry's `GET /api/pointers`: the live releases, changed only by compare-and-set on
 * `revision`.
 */
export const pointersSchema = z.object({
  revision: z.number().int().nonnegative(),
  remotes: z.record(
    remoteNameSchema,
    z.object({
      live: versionSchema,
      /** Percent of visitors who get this version instead. */
      canary: z.object({ version: versionSchema, weight: z.number().min(0).max(100) }).optional(),
    }),
  ),
  /** Address of the control room as browsers see it; absent unless the registry knows it. */
  room: z.url({ protocol: /^https?$/ }).optional(),
});
export type Pointers = z.infer<typeof pointersSchema>;
