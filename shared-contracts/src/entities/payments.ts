import { z } from 'zod';
import { DEAL_KINDS } from './codes.ts';

/** Response of the payment calculation (AMB-189): US dollars a month, months, percent a year. */
export const paymentCalculationSchema = z.object({
  monthlyPayment: z.number(),
  term: z.number(),
  apr: z.number(),
  type: z.enum(['finance', 'lease']),
  /** US dollars: the down payment, and the amount that the calculation deducted from the price. */
  downPayment: z.number(),
  incentives: z.number(),
  price: z.number(),
});
/** Rebates on a vehicle, in US dollars; `expires` is yyyy-mm-dd. */
export const incentivesSchema = z.object({
  incentives: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      kind: z.enum(['cash', 'apr', 'lease']),
      /** US dollars off the price; 0 for a rate. */
      amount: z.number(),
      /** Percent a year, of a rate. */
      apr: z.number().optional(),
      expires: z.string(),
      disclaimer: z.string(),
    }),
  ),
});
/** A deal to share or save (B3-DEAL-01). */
export const dealSchema = z.object({
  carId: z.string().min(1).max(64),
  deal: z
    .object({
      dealType: z.preprocess(
        (given) => ((DEAL_KINDS as readonly unknown[]).includes(given) ? given : 'finance'),
        z.enum(DEAL_KINDS),
      ),
      /** US dollars, months, percent a year. */
      price: z.number().nonnegative().max(10_000_000).optional(),
      downPayment: z.number().nonnegative().max(10_000_000).optional(),
      term: z.number().int().positive().max(120).optional(),
      apr: z.number().nonnegative().max(100).optional(),
      monthlyPayment: z.number().nonnegative().max(1_000_000).optional(),
    })
    .strip(),
});
export const savedDealSchema = dealSchema.extend({ id: z.string() });
