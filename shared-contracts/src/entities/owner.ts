import { z } from 'zod';

/** A seller: a superset of the shapes of both specs, filled by `toOwner()` (AMB-011). */
export const ownerSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  /** 'Private Seller' for private sellers (A3-OWNER-06). */
  ownerName: z.string(),
  privateSeller: z.boolean().default(false),
  phone: z.object({ value: z.string() }).optional(),
  logo: z.object({ src: z.string() }).optional(),
  images: z
    .object({ sources: z.array(z.object({ src: z.string(), alt: z.string().optional() })) })
    .optional(),
  website: z.object({ href: z.string() }).optional(),
  location: z
    .object({
      address: z.object({
        address1: z.string().optional(),
        city: z.string().optional(),
        state: z.string().optional(),
        zip: z.string().optional(),
      }),
    })
    .optional(),
  /** Miles from the center of the search; undefined without a center. */
  distanceFromSearch: z.number().optional(),
  /** DMA code of the seller's home market (AMB-151). */
  dma: z.string().optional(),
  rating: z.object({ value: z.number(), count: z.number().int() }).optional(),
  homeServices: z.array(z.string()).default([]),
  shippingLabel: z.string().optional(),
  /** The preferred contact action (AMB-122). */
  dealerPreferredCTA: z.enum(['email', 'phone', 'website']).default('email'),
  hideEmailForm: z.boolean().default(false),
  dealerDiff: z
    .object({ tagline: z.string(), contentId: z.string(), tile: z.string().optional() })
    .optional(),
});
export type Owner = z.infer<typeof ownerSchema>;
