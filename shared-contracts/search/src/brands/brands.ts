/** Refreshes of the fixed ad. */
const FIXED_AD_REFRESH_LIMIT = 10;

/** Brand codes (AMB-162). */
export const BRAND_CODES = ['atc', 'kbb', 'oem'] as const;
export type BrandCode = (typeof BRAND_CODES)[number];

/** Illustration and copy of the notification prompt. */
type NotificationVariant = 'alert' | 'dream-car' | 'price-drop';

/** Differences between the brands of the site. */
export interface Brand {
  readonly code: BrandCode;
  /** Shown in titles and copy. */
  readonly name: string;
  /** Label sent upstream unless a campaign overrides it (AMB-164). */
  readonly channel: 'ATC' | 'KBB' | 'OEM';
  /** '… Cars for Sale in Atlanta, GA' or '… near …'. */
  readonly cityPreposition: 'in' | 'near';
  /** Case of condition and vehicle words in generated copy. */
  readonly copyCase: 'title' | 'lower';
  /** Has only one make, model and trim group (AMB-082). */
  readonly hasSingleMakeGroup: boolean;
  /** Target of the first breadcrumb. */
  readonly homeHref: string;
  /** Has the payments wallet. */
  readonly hasWallet: boolean;
  /** Has the certified-used program with its own copy. */
  readonly hasCertifiedProgram: boolean;
  /** Cards offer share and report. */
  readonly hasShareAndReport: boolean;
  /** Whether a listing is shown as saved before the visitor has signed in (AMB-102). */
  readonly saveBeforeSignIn: 'no' | 'keep' | 'optimistic';
  /** Variant of the notification prompt (AMB-126). */
  readonly notificationVariant: NotificationVariant;
  /** Refreshes of the fixed ad; default: the ad's fallback. */
  readonly fixedAdRefreshLimit?: number;
  /** Filter that the upstream ignores (AMB-201). */
  readonly excludedFilter?: string;
  /** Paid priority doesn't order the results (AMB-201). */
  readonly ignoresPriority?: boolean;
  /** Zero-based index of the peekaboo tile; default 8. */
  readonly peekabooPosition?: number;
}

export const BRANDS: Readonly<Record<BrandCode, Brand>> = {
  atc: {
    code: 'atc',
    name: 'Forecourt',
    channel: 'ATC',
    cityPreposition: 'in',
    copyCase: 'title',
    hasSingleMakeGroup: false,
    homeHref: '/',
    hasWallet: true,
    hasCertifiedProgram: false,
    hasShareAndReport: true,
    saveBeforeSignIn: 'no',
    notificationVariant: 'alert',
    fixedAdRefreshLimit: FIXED_AD_REFRESH_LIMIT,
  },
  kbb: {
    code: 'kbb',
    name: 'Forecourt Values',
    channel: 'KBB',
    cityPreposition: 'in',
    copyCase: 'title',
    hasSingleMakeGroup: false,
    homeHref: '/',
    hasWallet: true,
    hasCertifiedProgram: false,
    hasShareAndReport: true,
    saveBeforeSignIn: 'keep',
    notificationVariant: 'alert',
    fixedAdRefreshLimit: FIXED_AD_REFRESH_LIMIT,
  },
  oem: {
    code: 'oem',
    name: 'Forecourt Certified',
    channel: 'OEM',
    cityPreposition: 'near',
    copyCase: 'lower',
    hasSingleMakeGroup: true,
    homeHref: '/cars-for-sale',
    hasWallet: false,
    hasCertifiedProgram: true,
    hasShareAndReport: false,
    saveBeforeSignIn: 'optimistic',
    notificationVariant: 'alert',
    fixedAdRefreshLimit: FIXED_AD_REFRESH_LIMIT,
    // Its program has a guarantee of its own.
    excludedFilter: 'vehicleExchange',
    ignoresPriority: true,
  },
};

/** Feature flags and their defaults. */
export const FLAGS = {
  compare: true,
  compareSmallScreen: true,
  wallet: true,
  categorySearch: true,
  suggestedFilters: true,
  keywordSearch: true,
  infiniteScroll: true,
  shoppingAssistant: true,
  expertReviews: true,
  modelReference: true,
  stillInterested: true,
  paymentsPopover: true,
  subscribeAlerts: true,
  personalization: true,
  leadWidget: true,
  /** Ads in the grid, in the footer and at the bottom of the screen. */
  ads: true,
  saveSearchOff: false,
  walletNotification: false,
  fluidAds: false,
  spotlightCarousel: false,
  peekaboo: false,
  alphaExactMatch: false,
  alphaTimedHide: false,
  alphaSponsorshipOnly: false,
  /** Cards can save and report a listing. */
  saveListing: true,
  reportListing: true,
  /** Clear Filters removes every experience, not only best-deals (AMB-084). */
  clearExperience: false,
} as const satisfies Record<string, boolean>;

type FlagName = keyof typeof FLAGS;
type Flags = Readonly<Record<FlagName, boolean>>;

/**
 * The flags of one brand. An override wins over the default, but can't enable the wallet for a brand without
 * one.
 */
export function resolveFlags(
  brand: Brand,
  overrides: Readonly<Partial<Record<FlagName, boolean>>> = {},
): Flags {
  const flags: Record<FlagName, boolean> = { ...FLAGS };
  for (const name of Object.keys(FLAGS) as FlagName[]) flags[name] = overrides[name] ?? flags[name];
  if (!brand.hasWallet) flags.wallet = false;
  // The notification only opens the wallet.
  if (!flags.wallet) flags.walletNotification = false;
  return flags;
}
