import type {
  Alpha,
  Filter,
  NearMiss,
  PageData,
  SearchResponse,
  SearchStats,
  SuggestedFilter,
  SuggestedModel,
} from '../entities/searchResponse.ts';
import type { Listing } from '../entities/listing.ts';
import type { Owner } from '../entities/owner.ts';
import type { Chip } from '../catalog/chips.ts';
import type { CrawlPath, Crumb } from '../url/links.ts';
import type { SearchCriteria } from '../criteria/criteria.ts';
import type { Wallet, Account } from '../entities/account.ts';

/** Texts of the page that follow from the criteria. */
interface PageTexts {
  readonly heading: string;
  readonly title: string;
  readonly description: string;
  readonly canonicalUrl: string;
}

export interface Spotlights {
  readonly premium: readonly Listing[];
  readonly featured: readonly Listing[];
  readonly standard: readonly Listing[];
  readonly fourthTier: readonly Listing[];
}

interface Suggestions {
  readonly filters: readonly SuggestedFilter[];
  readonly strongAttributes: readonly SuggestedFilter[];
  readonly nearMisses: readonly NearMiss[];
  readonly models: readonly SuggestedModel[];
}

/**
 * - `ready`: the results on screen belong to `criteria`
 * - `loading`: a changed search is under way, the old results stay
 * - `loadingMore`: the next page is under way
 * - `failed`: the last call failed, `criteria` is what was asked
 * - `invalid`: the upstream refused the parameters (AMB-018)
 */
type SearchStatus = 'ready' | 'loading' | 'loadingMore' | 'failed' | 'invalid';

/** The parts of the search which slots read; a slot names those it needs. */
export interface SearchState {
  readonly requestId: string;
  readonly criteria: SearchCriteria;
  /** Normalised path and query of `criteria`. */
  readonly url: string;
  readonly status: SearchStatus;
  /** Organic listings of all loaded pages, without duplicates, in order. */
  readonly listings: readonly Listing[];
  /** Spotlights by loaded page, first page first. */
  readonly spotlights: readonly Spotlights[];
  /** Number of organic listings of each loaded page. */
  readonly pageSizes: readonly number[];
  readonly owners: Readonly<Record<string, Owner>>;
  readonly totalResultCount: number;
  /** Offset of the first loaded page. */
  readonly firstLoadedRecord: number;
  readonly filters: readonly Filter[];
  readonly filterGroups: SearchResponse['filterGroups'];
  readonly stats: SearchStats;
  readonly chips: readonly Chip[];
  readonly breadcrumbs: readonly Crumb[];
  /** Links to narrower searches; empty while a changed search is under way (B4-PANEL-05). */
  readonly crawlPaths: readonly CrawlPath[];
  readonly texts: PageTexts;
  readonly suggestions: Suggestions;
  readonly vehicleHighlight: Listing | null;
  readonly boost: readonly Listing[];
  readonly alpha: Alpha | null;
  readonly pageData: PageData;
  readonly editorial: Pick<
    SearchResponse,
    'editorialContent' | 'editorialReviews' | 'makeSummaryData'
  > | null;
  /** A message above the results, e.g. 'Bookmark not found'. */
  readonly notice: string | null;
  /** What the upstream was asked for the answer on the page; empty without one (AMB-098). */
  readonly requestParams: SearchResponse['requestParams'];
}

/** A site's own app at Firebase; nothing in it is secret. */
interface FirebaseWebApp {
  readonly apiKey: string;
  readonly appId: string;
  readonly projectId: string;
  /** Public key of its web push certificate, base64url. */
  readonly vapidKey: string;
}

/**
 * What a page knows of its visitor. A page from the anonymous page cache has
 * the initial values of everything that the browser keeps for a visitor
 * (saved listings, wallet, payments); the shell fills them in after hydration.
 */
export interface SessionState {
  readonly brand: 'atc' | 'kbb' | 'oem';
  readonly flags: Readonly<Record<string, boolean>>;
  readonly signedIn: boolean;
  readonly isBot: boolean;
  /** ZIP known from the visitor's cookie, if any. */
  readonly visitorZip: string | null;
  /** The clock of the request, ISO date (UTC): server and browser agree on the year. */
  readonly today: string;
  /** Configured path of the sign-in page (A2-ROUTE-07); `signInLink()` makes links of it. */
  readonly signInPath: string;
  /** The signed-in visitor; null for the anonymous. */
  readonly account: Account | null;
  /** Saved in the account, or in the browser by an anonymous visitor; newest first. */
  readonly savedListingIds: readonly string[];
  /** Searches saved in the account (A6-BRAND-04). */
  readonly savedSearchCount: number;
  /** Listings whose sellers were written to in this session (A4-EMAIL-03). */
  readonly contactedListingIds: readonly string[];
  readonly wallet: Wallet | null;
  /** Cards show payments, not prices only (B4-PANEL-15). */
  readonly showsPayments: boolean;
  /** Notifications go by Firebase; without it by Web Push (AMB-128). */
  readonly firebase?: FirebaseWebApp;
}

/** Kinds of pages; the shell's layouts say which slots each one has. */
export type PageKind =
  'results' | 'vehicle' | 'compare' | 'build-your-price' | 'saved-searches' | 'saved-vehicles';

/** Which page this is. */
export interface PageState {
  readonly kind: PageKind;
  /** Path and query of the request. */
  readonly url: string;
  /** Same-origin path and query of the page that linked here, if the browser sent it; never on cached pages. */
  readonly referrer: string | null;
}

export interface RootState {
  readonly page: PageState;
  readonly search: SearchState;
  readonly session: SessionState;
}

type SearchKey = keyof SearchState;
/** Name of a part of the store, as slots declare it in `needs`. */
export type StateKey = 'page' | 'session' | `search.${SearchKey}`;
