import type { EventType } from '@forecourt/slots/events';
import type { CallName } from '@forecourt/upstream/calls';
import type { SlotPermissions } from '../engine/layout/permissions.ts';

/** What a slot may do in the browser besides what every slot may. */
interface SlotPermission {
  /** Calls through the shell's gateway, besides `calls` of its placement. */
  readonly calls?: readonly CallName[];
  readonly emits?: readonly EventType[];
  readonly hears?: readonly EventType[];
}

/** Facts that every slot may emit about itself. */
const COMMON_EMITS: readonly EventType[] = [
  'page.announced',
  'page.tracked',
  'problem.reported',
  'toast.shown',
];
const COMMON_HEARS: readonly EventType[] = ['toast.shown'];

/** Calls that mfe-leads repeats until they succeed; any of its slots may send what another could not. */
const QUEUED_CALLS: readonly CallName[] = ['emailOwner', 'makeOffer', 'reportListing'];

/** What the actions of a listing request. */
const LISTING_INTENTS: readonly EventType[] = [
  'lead.requested',
  'listing.reportRequested',
  'listing.saveRequested',
  'listing.shareRequested',
  'listing.spinRequested',
];

/** By slot; `layouts.test.ts` compares it with the sources of the remotes. */
const BY_SLOT: Readonly<Record<string, SlotPermission>> = {
  'location-editor': { emits: ['search.changeExpected', 'search.changeRequested'] },
  showcase: { emits: ['search.changeRequested'] },
  toolbar: {
    calls: ['personalization', 'suggestedKeywords'],
    emits: ['dialog.requested', 'search.changeExpected', 'search.changeRequested', 'search.saveRequested'],
    hears: ['search.captureRequested', 'search.changeRequested'],
  },
  map: { emits: ['search.changeRequested'] },
  results: {
    calls: [
      'ad',
      'browsingHistory',
      'clearBrowsingHistory',
      'esntialEligibility',
      'expertReviews',
      'listingViewCount',
      'listingsByVin',
      'similar',
      'supplemental',
    ],
    emits: [
      ...LISTING_INTENTS,
      'dialog.requested',
      'listing.viewed',
      'page.bottomCovered',
      'search.changeRequested',
      'search.moreRequested',
      'search.retryRequested',
    ],
  },
  filters: {
    calls: ['filterPreview', 'packages', 'zipLookup'],
    emits: ['dialog.requested', 'payments.showRequested', 'search.changeExpected', 'search.changeRequested'],
    hears: ['dialog.requested'],
  },
  'model-reference': { calls: ['specs'], emits: ['dialog.closed'], hears: ['dialog.requested'] },
  'lead-widget': { calls: [...QUEUED_CALLS, 'vehicle'], emits: ['lead.sent'] },
  'footer-ad': { calls: ['ad'] },
  'email-capture': { calls: [...QUEUED_CALLS, 'emailCapture', 'subscribeAlert'], emits: ['search.saved'] },
  spin: { calls: ['spin'], hears: ['listing.spinRequested'] },
  vehicle: { emits: [...LISTING_INTENTS, 'dialog.requested', 'page.bottomCovered'] },
  compare: { emits: ['listing.saveRequested'] },
  'saved-vehicles': { emits: ['listing.saveRequested', 'notification.requested'] },
  leads: {
    calls: [
      ...QUEUED_CALLS,
      'certifiedContent',
      'certifiedSponsor',
      'dealerDiff',
      'dealerDiffHtml',
      'emailCapture',
      'forgetDevice',
      'incentives',
      'leadCandidates',
      'mergeSavedListings',
      'paymentCalculation',
      'registerDevice',
      'saveDeal',
      'saveLeadProfile',
      'saveListing',
      'saveSearch',
      'savedListings',
      'shareListing',
      'subscribeAlert',
      'unsaveListing',
      'updateDeal',
      'vehicle',
      'webPushKey',
    ],
    emits: [
      'dialog.closed',
      'dialog.requested',
      'lead.oneClickChanged',
      'lead.requested',
      'lead.sent',
      'listing.savedChanged',
      'payments.showRequested',
      'search.captureRequested',
      'search.changeRequested',
      'search.saved',
      'session.changed',
      'signIn.dismissed',
      'signIn.requested',
      'wallet.changed',
    ],
    hears: [
      'dialog.requested',
      'lead.requested',
      'listing.reportRequested',
      'listing.saveRequested',
      'listing.shareRequested',
      'listing.viewed',
      'notification.requested',
      'search.saveRequested',
      'signIn.dismissed',
      'signIn.requested',
    ],
  },
};

export const PERMISSIONS: SlotPermissions = {
  common: { emits: COMMON_EMITS, hears: COMMON_HEARS },
  bySlot: BY_SLOT,
};
