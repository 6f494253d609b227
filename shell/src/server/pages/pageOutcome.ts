import type { SlotModule } from '@forecourt/shared-contracts/slots';
import { z } from 'zod';

/**
 * Path and query on this origin. Browsers read '//' and '/\' as the start of
 * another host and drop control characters.
 */
const sameOriginPath = z
  .string()
  .max(8000)
  .regex(/^\/(?![/\\])[^\p{Cc}\s\\]*$/u, 'must be a path of this origin');

/** A main slot's decision about its page; validated because remote code returns it. */
export const pageOutcomeSchema: z.ZodType<NonNullable<ReturnType<NonNullable<SlotModule['page']>>>> = z.union(
  [
    z.object({ redirect: sameOriginPath, status: z.literal([301, 302]) }),
    z.object({
      title: z.string().max(1000),
      description: z.string().max(5000),
      canonical: sameOriginPath,
      isIndexed: z.boolean(),
      heroImage: z.string().max(2000).optional(),
      returnPath: sameOriginPath.optional(),
      status: z.literal([200, 404, 503]).optional(),
    }),
  ],
);
