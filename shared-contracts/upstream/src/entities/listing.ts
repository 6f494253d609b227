import { z } from 'zod';

/** A seller: a superset of the shapes of both specs, filled by `toOwner()` (AMB-011). */
export const ownerSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  /** 'Private Seller' for private sellers. */
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

const codeName = z.object({ code: z.string(), name: z.string() });

/**
 * A vehicle for sale, as in every upstream response. A superset of the shapes of both specs: the API sends
 * both forms and `toListing()` fills each one from the other (AMB-010). Money is whole US dollars, distance
 * and mileage miles.
 */
export const listingSchema = z.object({
  id: z.string().min(1),
  vin: z.string().min(1),
  /** The seller's own number for the vehicle. */
  stockNumber: z.string().optional(),
  /** Truncated before ' w/' by `toListing()`. */
  title: z.string(),
  ownerId: z.string(),
  /** The listing's own data about its seller; the rest is in the response's owners. */
  owner: z
    .object({
      id: z.string(),
      privateSeller: z.boolean().default(false),
      phone: z.object({ value: z.string() }).optional(),
      dealerPreferredCTA: z.enum(['email', 'phone', 'website']).default('email'),
    })
    .optional(),
  vdpBaseUrl: z.string().optional(),
  listingType: z.enum(['NEW', 'USED', 'CERTIFIED', '3P_CERT']),
  year: z.number().int(),
  make: codeName,
  model: codeName,
  trim: codeName.optional(),
  makeCode: z.string(),
  modelCode: z.string(),
  /** Series of the model, as in the filter `seriesCode`. */
  seriesCode: z.string().optional(),
  bodyStyles: z.array(codeName),
  vehicleStyleCodes: z.array(z.string()),
  /** With empty texts where it is unknown. */
  fuelType: codeName,
  fuelTypeGroup: z.string(),
  driveType: z.string().optional(),
  mileage: z.object({ value: z.number().int() }).optional(),
  specifications: z.object({
    mileage: z.number().int().optional(),
    /** Combined miles per gallon, or the equivalent for electric vehicles. */
    mpg: z.number().optional(),
    /** Electric range. */
    mileRange: z.number().optional(),
    engine: z.string().optional(),
    driveType: z.string().optional(),
    transmission: z.string().optional(),
  }),
  mpgCity: z.number().optional(),
  mpgHighway: z.number().optional(),
  color: z.object({ exteriorColorSimple: z.string().optional(), interiorColorSimple: z.string().optional() }),
  engine: z.object({ code: z.string().optional(), name: z.string().optional() }),
  doors: z.number().int().optional(),
  truckBedLength: z.string().optional(),
  /** Of a single listing only, like the next two; the number of seats. */
  seats: z.number().int().positive().optional(),
  truckCab: codeName.optional(),
  truckBed: codeName.optional(),
  displacementUOM: z.string().optional(),
  pricingDetail: z.object({
    incentive: z.number().optional(),
    salePrice: z.number().optional(),
    msrp: z.number().optional(),
    /** incentive ?? salePrice ?? msrp (AMB-037); missing = 'Call for price'. */
    derivedPrice: z.number().optional(),
    /** Price before the last reduction. */
    previousPrice: z.number().optional(),
    /** All prices with their first days (yyyy-mm-dd), oldest first; only of a single listing, empty without changes. */
    history: z.array(z.object({ on: z.string(), price: z.number() })).optional(),
    /** 'Great' and 'Good' are good-price deals. */
    dealIndicator: z.enum(['Great', 'Good', 'Fair', 'High']).optional(),
    /** Average price of similar vehicles (model, trim, age, condition), and their number with this one. */
    market: z.object({ average: z.number(), similar: z.number().int() }).optional(),
    payments: z.object({ monthly: z.number(), term: z.number(), apr: z.number() }).optional(),
  }),
  images: z.object({
    primary: z.number().int().default(0),
    sources: z.array(
      z.object({
        src: z.string(),
        alt: z.string(),
        /** px of the largest variant; drawings have none of these fields. */
        width: z.number().int().optional(),
        height: z.number().int().optional(),
        /** Widths in px that exist of the photo: one replaces the number at the end of `src`. */
        widths: z.array(z.number().int()).optional(),
        /** Dominant color, '#rrggbb', shown while the photo loads. */
        color: z
          .string()
          .regex(/^#[0-9a-f]{6}$/)
          .optional(),
        /** A blurred preview: base64 of a WebP file of about 100 bytes. */
        preview: z
          .string()
          .regex(/^[A-Za-z0-9+/=]*$/)
          .optional(),
      }),
    ),
  }),
  phone: z.string().optional(),
  ownerName: z.string().optional(),
  website: z.object({ href: z.string() }).optional(),
  viewCount: z.number().int().default(0),
  isReducedPrice: z.boolean().default(false),
  isHot: z.boolean().default(false),
  hasSpecialOffer: z.boolean().default(false),
  fyuseId: z.string().optional(),
  /** Days since the listing was published. */
  daysListed: z.number().int().optional(),
  /** Miles from the center of the search. */
  distance: z.number().optional(),
  features: z.array(z.string()).default([]),
  /** A showcased vehicle's codes for the search's filters, by parameter; most have no other field here. */
  filterCodes: z.record(z.string(), z.array(z.string())).optional(),
  accelerate: z.boolean().optional(),
  certifiedProduct: z.string().optional(),
  marketExtension: z.object({ imeDmaMatch: z.boolean(), parentOwnerId: z.string().optional() }).optional(),
  vehicleHighlight: z
    .object({
      isVehicleHighlight: z.boolean(),
      urgencyDriverType: z.string().optional(),
      urgencyDriverValue: z.number().optional(),
    })
    .optional(),
  productTiles: z
    .array(
      z.object({
        tileType: z.string(),
        tileSubType: z.string().optional(),
        link: z.string().optional(),
        image: z.string().optional(),
      }),
    )
    .default([]),
  paymentServices: z
    .object({
      digitalRetailingType: z.string().optional(),
      dealerSettings: z.object({ leaseEnabled: z.boolean().default(false) }).optional(),
      uiEnabled: z.boolean().default(false),
      paymentCalculationUrl: z.string().optional(),
      incentivesUrl: z.string().optional(),
    })
    .optional(),
  esntial: z
    .object({
      eligibilityService: z.string().optional(),
      ecommWebsite: z.string().optional(),
      deemphasized: z.boolean().optional(),
    })
    .optional(),
});
export type Listing = z.infer<typeof listingSchema>;
