import type { SiteState } from '@forecourt/slots/state';

/** A module that releases share with the shell: one instance and one version of it. */
interface SharedModule {
  readonly version: string;
  readonly module: object;
}

/** What the program that renders releases needs to know about a site. */
export interface ReleaseSite {
  /** How its pages' state is divided, sliced and put into stores. */
  readonly state: SiteState;
  /** Modules of its contract that releases share, by name, besides React and the slots contract. */
  readonly shared: Readonly<Record<string, SharedModule>>;
}
