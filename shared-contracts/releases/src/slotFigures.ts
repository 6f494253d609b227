import { z } from 'zod';

/** What browsers measure of a slot: the web vitals that are about it, and what it does; by minute where that grows with time. */
const SLOT_FIGURES = [
  'lcpMs',
  'inpMs',
  'eventsPerMinute',
  'callsPerMinute',
  'elements',
  'busyMsPerMinute',
] as const;
export type SlotFigure = (typeof SLOT_FIGURES)[number];

/** At the 75th percentile of the views that reported it, of late. */
export const slotFiguresSchema = z.partialRecord(
  z.enum(SLOT_FIGURES),
  z.object({ p75: z.number().nonnegative(), views: z.number().int().positive() }),
);
export type SlotFigures = z.infer<typeof slotFiguresSchema>;
