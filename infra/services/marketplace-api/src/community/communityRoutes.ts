import type { Router } from 'express';
import type { Catalog } from '../domain/catalog.ts';
import type { ListingStore, NewListings } from '../inventory/index.ts';
import type { ListingIndex, Search } from '../search/index.ts';
import { activityRoutes } from './activity/activityRoutes.ts';
import type { ActivityStore } from './activity/activityStore.ts';
import { alertRoutes } from './alerts/alertRoutes.ts';
import { createNewMatchCounter } from './alerts/newMatches.ts';
import { deviceRoutes, type PushSender } from './alerts/webPush.ts';
import { contactRoutes, type MailContext } from './messages/contactRoutes.ts';
import { leadRoutes } from './messages/leadRoutes.ts';
import { paymentRoutes } from './payments/paymentRoutes.ts';
import { accountRoutes } from './people/accountRoutes.ts';
import type { Callers } from './people/caller.ts';
import type { People } from './people/people.ts';

export interface CommunityDeps extends Pick<Search, 'search' | 'places'> {
  readonly people: People;
  readonly activity: ActivityStore;
  readonly callers: Callers;
  readonly push: PushSender;
  readonly index: ListingIndex;
  readonly store: ListingStore;
  readonly newListings: NewListings;
  readonly catalog: Catalog;
  readonly mailContext: MailContext;
  /** One mailbox for all leads, instead of the sellers'. */
  readonly leadRecipient: string | undefined;
  /** Address of the moderators. */
  readonly reportsTo: string;
  /** Enables the lists of leads and reports. */
  readonly isLocal: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Routes of what people do: leads, messages, accounts, alerts, views and payments. */
export function communityRoutes(deps: CommunityDeps): readonly Router[] {
  const { people, activity, callers, push, index, store, newListings, catalog, search, places } = deps;
  const { mailContext, leadRecipient, reportsTo, isLocal, now } = deps;
  const { siteUrl, siteName } = mailContext;
  const countNewMatches = createNewMatchCounter({ index, catalog, places, newListings });
  return [
    leadRoutes({ people, activity, callers, store, siteUrl, siteName, leadRecipient, isLocal }),
    contactRoutes({ people, callers, store, mailContext, reportsTo, isLocal }),
    accountRoutes({ people, callers, store, newListings, countNewMatches }),
    alertRoutes({ people, callers, index, catalog, search, places, newListings, mailContext }),
    deviceRoutes({ people, callers, push }),
    activityRoutes({ people, activity, callers, store, index }),
    paymentRoutes({ store, people, now }),
  ];
}
