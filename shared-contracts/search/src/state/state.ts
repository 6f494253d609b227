import type {
  Alpha,
  Filter,
  NearMiss,
  SearchPageData,
  SearchResponse,
  SearchStats,
  SuggestedFilter,
  SuggestedModel,
} from '@forecourt/upstream/entities';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import type { Chip } from '../catalog/chips.ts';
import type { CrawlPath, Crumb } from '../url/pageLinks.ts';
import type { SearchCriteria } from '../criteria/criteria.ts';
import type { Wallet, Account } from '@forecourt/upstream/entities';

/** Texts of the page that are derived from the criteria. */
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

interface Adjustment {
  /** 'SUVs with a third row under $30,000 near Atlanta.' */
  readonly text: string;
  /** Missing where the search as given finds nothing. */
  readonly undo?: { readonly label: string; readonly href: string };
}

interface Suggestions {
  readonly filters: readonly SuggestedFilter[];
  readonly strongAttributes: readonly SuggestedFilter[];
  readonly nearMisses: readonly NearMiss[];
  readonly models: readonly SuggestedModel[];
}

/**
 * - `ready`: the results match `criteria`
 * - `loading`: a changed search is in flight, the previous results stay
 * - `loadingMore`: the next page is in flight
 * - `failed`: the last call failed, `criteria` is its request
 * - `invalid`: the upstream rejected the parameters (AMB-018)
 */
type SearchStatus = 'ready' | 'loading' | 'loadingMore' | 'failed' | 'invalid';

/** The parts of the search that slots read; a slot names those it needs. */
export interface SearchState {
  readonly requestId: string;
  readonly criteria: SearchCriteria;
  /** Normalized path and query of `criteria`. */
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
  /** Links to narrower searches; empty while a changed search is in flight. */
  readonly crawlPaths: readonly CrawlPath[];
  readonly texts: PageTexts;
  readonly suggestions: Suggestions;
  readonly vehicleHighlight: Listing | null;
  readonly boost: readonly Listing[];
  readonly alpha: Alpha | null;
  readonly pageData: SearchPageData;
  readonly editorial: Pick<
    SearchResponse,
    'editorialContent' | 'editorialReviews' | 'makeSummaryData'
  > | null;
  /** A message above the results, e.g. 'Bookmark not found'. */
  readonly notice: string | null;
  /** What the page changed in an empty search to find vehicles, with the way back; null if nothing. */
  readonly adjustment: Adjustment | null;
  /** Parameters of the upstream request for the shown results; empty without one (AMB-098). */
  readonly requestParams: SearchResponse['requestParams'];
}

/** The site's own Firebase app; its values are public. */
interface FirebaseWebApp {
  readonly apiKey: string;
  readonly appId: string;
  readonly projectId: string;
  /** Public key of its web push certificate, base64url. */
  readonly vapidKey: string;
}

/**
 * The page's visitor. A page from the anonymous page cache has the initial values of everything stored in the
 * browser (saved listings, wallet, payments); the shell fills them in after hydration.
 */
export interface SessionState {
  readonly brand: 'atc' | 'kbb' | 'oem';
  readonly flags: Readonly<Record<string, boolean>>;
  readonly signedIn: boolean;
  readonly isBot: boolean;
  /** ZIP from the visitor's cookie, if any. */
  readonly visitorZip: string | null;
  /** Date of the request, ISO (UTC), so that server and browser agree on the year. */
  readonly today: string;
  /** Configured path of the sign-in page; see `signInLink()`. */
  readonly signInPath: string;
  /** The signed-in visitor; null for an anonymous one. */
  readonly account: Account | null;
  /** Saved in the account, or in the browser for an anonymous visitor; newest first. */
  readonly savedListingIds: readonly string[];
  /** Searches saved in the account. */
  readonly savedSearchCount: number;
  /** Listings whose sellers were contacted in this session. */
  readonly contactedListingIds: readonly string[];
  readonly wallet: Wallet | null;
  /** Cards show payments in addition to prices. */
  readonly showsPayments: boolean;
  /** A click on email sends at once, as the visitor chose in this browser. */
  readonly emailsInOneClick: boolean;
  /** Sends notifications through Firebase; without it, through Web Push (AMB-128). */
  readonly firebase?: FirebaseWebApp;
}

/** Kinds of pages; the shell's layouts define the slots of each one. */
export type PageKind =
  | 'results'
  | 'vehicle'
  | 'compare'
  | 'build-your-price'
  | 'saved-searches'
  | 'saved-vehicles';

/** Kind of this page. */
export interface PageState {
  readonly kind: PageKind;
  /** Path and query of the request. */
  readonly url: string;
  /** Same-origin path and query of the referring page, if the browser sent it; never on cached pages. */
  readonly referrer: string | null;
}

export interface RootState {
  readonly page: PageState;
  readonly search: SearchState;
  readonly session: SessionState;
}

type SearchKey = keyof SearchState;
/** Name of a part of the store, as slots declare it in `reads`. */
export type StateKey = 'page' | 'session' | `search.${SearchKey}`;

declare module '@forecourt/slots' {
  interface Register {
    state: RootState;
    stateKey: StateKey;
  }
}
