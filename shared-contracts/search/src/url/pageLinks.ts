/** Part of a search that a breadcrumb names. */
type CrumbKey =
  | 'home'
  | 'page'
  | 'location'
  | 'owner'
  | 'condition'
  | 'style'
  | 'make'
  | 'model'
  | 'trim'
  | 'year'
  | 'price'
  | 'fuelType'
  | 'mpg'
  | 'electricRange';

/** One link of the breadcrumb trail. */
export interface Crumb {
  readonly key: CrumbKey;
  readonly label: string;
  readonly href: string;
}

/** A crawlable link to a narrower search. */
export interface CrawlPath {
  readonly label: string;
  /** Normalized path and query. */
  readonly href: string;
}
