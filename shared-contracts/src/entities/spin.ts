import { z } from 'zod';

/** The pictures of a turn around a vehicle, which its `fyuseId` names (A3-LISTING-08). */
export const spinSchema = z.object({
  fyuseId: z.string(),
  /** Evenly around the vehicle, rising: 0 is its front, 90 the driver's side, 180 its rear. */
  frames: z.array(z.object({ degrees: z.number().int().min(0).max(359), src: z.string() })).min(2),
});
export type Spin = z.infer<typeof spinSchema>;
