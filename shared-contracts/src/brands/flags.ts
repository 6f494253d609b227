import type { Brand } from './brands.ts';

/** Feature flags and their defaults (B6-FLAG-01..13, AMB-167). */
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
  /** Cards offer to save a listing and to report one. */
  saveListing: true,
  reportListing: true,
  /** Clear Filters drops every experience, not only best-deals (AMB-084). */
  clearExperience: false,
} as const satisfies Record<string, boolean>;

export type FlagName = keyof typeof FLAGS;
export type Flags = Readonly<Record<FlagName, boolean>>;

/**
 * The flags of one brand. An override wins over the default, but no override
 * gives the wallet to a brand which has none (B6-FLAG-12).
 */
export function resolveFlags(
  brand: Brand,
  overrides: Readonly<Partial<Record<FlagName, boolean>>> = {},
): Flags {
  const flags: Record<FlagName, boolean> = { ...FLAGS };
  for (const name of Object.keys(FLAGS) as FlagName[]) flags[name] = overrides[name] ?? flags[name];
  if (!brand.hasWallet) flags.wallet = false;
  // The notification leads to nothing else (B6-FLAG-02).
  if (!flags.wallet) flags.walletNotification = false;
  return flags;
}
