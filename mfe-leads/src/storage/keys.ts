/** Names in the browser's storage that belong to the dialogs alone; what others read too stands in `browserStorage` of the store. */
export const STORAGE_KEYS = {
  /** Leads that wait for the upstream. */
  leadOutbox: 'leadOutbox',
  /** Of one tab: what was typed into forms. */
  leadDrafts: 'leadDrafts',
  /** Of one tab: the listing to be saved after the sign-in that its saving led to. */
  saveAfterSignIn: 'saveAfterSignIn',
  /** Ids by which the saved deals are known, by listing. */
  savedDeals: 'savedDeals',
  /** The push provider's token of this browser. */
  notificationToken: 'notificationToken',
} as const;
