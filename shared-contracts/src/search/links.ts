/** Part of a search that a breadcrumb names (A2-CRUMB-01). */
export type CrumbKey =
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

/** One link of the breadcrumb trail (B3-CRUMB-01). */
export interface Crumb {
  readonly key: CrumbKey;
  readonly label: string;
  readonly href: string;
}

/** A link to a narrower search that is worth a page of its own, for people and search engines alike. */
export interface CrawlPath {
  readonly label: string;
  /** Path and, for what no path can say, query, in normal form. */
  readonly href: string;
}
