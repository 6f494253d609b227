import { ipKeyGenerator } from 'express-rate-limit';
import { type CanaryWatch, COMPARED_VITALS, GOOD_VITAL_MS } from './canaryWatch.ts';
import { createLruCache } from '@forecourt/service-kit/lruCache';
import { type LoadedRelease, releaseId } from '../rendering/release.ts';
import type { SlotFigure } from '@forecourt/releases/slotFigures';
import type { LiveRemotes } from './snapshot.ts';
import { createSigner } from '@forecourt/service-kit/signer';

/** Time after the page was sent in which its failures count; s. */
const LIFETIME_SECONDS = 30 * 60;
/** Separates the fields of a claim, none of which can contain it; JSON and HTML need no escapes. */
const SEPARATOR = ' ';
const FIELDS = 4;

/** A page that the shell sent. */
interface ReportedPage {
  /** Request id of the response. */
  readonly id: string;
  /** Ids of its live releases and canaries, e.g. 'mfe-results@1.4.0'. */
  readonly releases: readonly string[];
}

type ClaimRefusal = 'unsigned' | 'forged' | 'expired';

/** What a page sends back with its failures, to prove that the shell sent it to this visitor. */
export interface FailureClaims {
  /** The claim of a page view; '' if it has neither live releases nor canaries. */
  readonly sign: (view: ReportedPage, visitor: string) => string;
  readonly read: (
    claim: string,
    visitor: string,
  ) => { readonly view: ReportedPage } | { readonly refusal: ClaimRefusal };
}

/** `now` is in ms since 1970. */
export function createFailureClaims(sessionSecret: string, now: () => number): FailureClaims {
  const signer = createSigner(sessionSecret, 'browser failure claims');
  /** What is signed. The visitor comes last: a cookie must not be able to shift the other fields. */
  const signed = (fields: readonly string[], visitor: string) => [...fields, visitor].join(SEPARATOR);

  return {
    sign({ id, releases }, visitor) {
      if (releases.length === 0) return '';
      const expires = Math.floor(now() / 1000) + LIFETIME_SECONDS;
      const fields = [String(expires), id, releases.join(',')];
      return [...fields, signer.sign(signed(fields, visitor))].join(SEPARATOR);
    },
    read(claim, visitor) {
      if (claim === '') return { refusal: 'unsigned' };
      const parts = claim.split(SEPARATOR);
      if (parts.length !== FIELDS) return { refusal: 'forged' };
      const [expires = '', id = '', releases = '', signature = ''] = parts;
      if (!signer.verify(signed([expires, id, releases], visitor), signature)) return { refusal: 'forged' };
      if (Number(expires) * 1000 <= now()) return { refusal: 'expired' };
      return { view: { id, releases: releases.split(',') } };
    },
  };
}

/** What a browser reports; untrusted. */
interface BrowserReport {
  /** Proves that the shell sent the page to this visitor, with this release. */
  readonly claim: string;
  readonly visitor: string;
  /** IP address as seen through the trusted proxies. */
  readonly address: string;
}

export interface BrowserFailure extends BrowserReport {
  /** Slot, or an instance of it: 'email-capture-2'. */
  readonly name: string;
  readonly phase?: string | undefined;
  readonly release?: string | undefined;
  readonly message?: string | undefined;
}

/** What a page measured of a slot, or of an instance of it. */
export interface BrowserFigures extends BrowserReport {
  readonly name: string;
  readonly release?: string | undefined;
  readonly figures: Partial<Record<SlotFigure, number>>;
}

/** A web vital of a page; times in ms. */
export interface BrowserVital extends BrowserReport {
  readonly name: string;
  readonly value: number;
}

/**
 * Whether a report counts, or why not:
 * - `ignored`: of an unknown phase, no vital that is compared, from a crawler, or a vital without a canary
 * - `unsigned`, `forged`, `expired`: no valid claim of a page sent to this visitor
 * - `foreign`: the page had another release, or the release has no such slot
 * - `replayed`: this slot or vital of the page view was reported before
 * - `limited`: the visitor was counted before, or too many of the address were
 */
export type ReportOutcome = 'counted' | 'ignored' | ClaimRefusal | 'foreign' | 'replayed' | 'limited';

/**
 * Phases in which a slot fails in a browser. `evaluate`: its files came, and their code failed. `run`: its code threw later.
 * `budget`: it did more than a slot may. Failed downloads (`load`) may be network errors: they are counted, but say nothing about the release.
 */
const PHASES: ReadonlySet<string> = new Set(['load', 'evaluate', 'hydrate', 'render', 'run', 'budget']);
/**
 * Counted visitors per IP address, release and slot. Visitor ids are cookies and can be
 * forged; with this limit one address cannot reach the five failures that end a
 * canary (`canaryRule.ts`).
 */
const PER_ADDRESS = 2;
/** Counted visitors per release and slot; further ones are ignored. */
const MAX_VISITORS = 10_000;
/** Time after which visitors are counted again; ms. */
const VISITORS_MS = 60 * 60_000;
/** Remembered slots and vitals of page views; a claim expires long before that many are reported. */
const MAX_REPORTED = 50_000;

interface CountedVisitors {
  readonly visitors: Set<string>;
  readonly byAddress: Map<string, number>;
}

/** Counts visitors per release and slot or vital: each once an hour, and a limited number per address. */
function createVisitorBudget(now: () => number) {
  /** By release id and slot or vital. */
  let counted = new Map<string, CountedVisitors>();
  let since = now();
  return (key: string, address: string, visitor: string): boolean => {
    if (now() - since > VISITORS_MS) {
      counted = new Map();
      since = now();
    }
    const entry: CountedVisitors = counted.get(key) ?? { visitors: new Set(), byAddress: new Map() };
    counted.set(key, entry);
    const { visitors, byAddress } = entry;
    // IPv6 customers have whole subnets, so the key is the subnet.
    const addressKey = ipKeyGenerator(address);
    const count = byAddress.get(addressKey) ?? 0;
    if (visitors.has(visitor) || visitors.size >= MAX_VISITORS || count >= PER_ADDRESS) return false;
    visitors.add(visitor);
    byAddress.set(addressKey, count + 1);
    return true;
  };
}

/** A slot of a release that failed in a browser. */
export interface CountedFailure {
  readonly remote: string;
  readonly version: string;
  readonly slot: string;
  readonly phase: string;
  readonly message: string;
}

/** The live release and the canary of a remote. */
const releasesOf = (remotes: LiveRemotes, remote: string): readonly LoadedRelease[] => {
  const pointer = remotes.get(remote);
  return [pointer?.live, pointer?.canary?.release].filter((release) => release !== undefined);
};

/**
 * Counts failures of slots in browsers against their release, live or canary, and slow vitals against a canary and equally
 * against its live release: only with the claim of the page, each slot or vital of a page view and each visitor once, and
 * a limited number per address. A vital counts for every release that is being compared on its page: code of any
 * slot can delay a picture or a click elsewhere.
 */
export function createBrowserFailures(parts: {
  readonly live: () => LiveRemotes;
  readonly claims: Pick<FailureClaims, 'read'>;
  readonly now: () => number;
  readonly count: (failure: CountedFailure) => void;
  readonly recordVital: CanaryWatch['record'];
  readonly measure: (
    slot: { readonly release: string; readonly slot: string },
    figures: BrowserFigures['figures'],
  ) => void;
}): {
  readonly report: (failure: BrowserFailure) => ReportOutcome;
  readonly reportVital: (vital: BrowserVital) => ReportOutcome;
  readonly reportFigures: (figures: BrowserFigures) => void;
} {
  const isNew = createVisitorBudget(parts.now);
  /** Page view and slot or vital. */
  const reported = createLruCache<true>({ maxEntries: MAX_REPORTED });

  /** The slot of a release that is live or a canary, and was in the page. */
  function find(release: string, name: string, view: ReportedPage) {
    const [remote = ''] = release.split('@', 1);
    const manifest = releasesOf(parts.live(), remote)
      .map((one) => one.manifest)
      .find(({ version }) => releaseId(remote, version) === release);
    const slot = name.replace(/-\d+$/, '');
    if (!manifest || !view.releases.includes(release) || !Object.hasOwn(manifest.slots, slot))
      return undefined;
    return { remote, slot, manifest };
  }

  return {
    report({ name, phase = '', release = '', message = '', claim, visitor, address }) {
      if (!PHASES.has(phase)) return 'ignored';
      const page = parts.claims.read(claim, visitor);
      if ('refusal' in page) return page.refusal;
      const found = find(release, name, page.view);
      if (!found) return 'foreign';
      const { remote, slot, manifest } = found;
      const key = `${page.view.id} ${slot}`;
      if (reported.get(key)) return 'replayed';
      // A slot that comes late may still fail.
      if (phase !== 'load') reported.set(key, true);
      const kind = phase === 'load' ? phase : '';
      if (!isNew([release, slot, kind].join(SEPARATOR), address, visitor)) return 'limited';
      parts.count({ remote, version: manifest.version, slot, phase, message });
      return 'counted';
    },
    reportFigures({ name, release = '', figures, claim, visitor }) {
      const page = parts.claims.read(claim, visitor);
      const found = 'view' in page ? find(release, name, page.view) : undefined;
      if (!found || !('view' in page)) return;
      // An instance of the slot reports by itself.
      const key = `${page.view.id} ${name} ${Object.keys(figures).join(SEPARATOR)}`;
      if (reported.get(key)) return;
      reported.set(key, true);
      parts.measure({ release, slot: found.slot }, figures);
    },
    reportVital({ name, value, claim, visitor, address }) {
      const vital = COMPARED_VITALS.find((compared) => compared === name);
      const pointers = [...parts.live()].filter(([, { canary }]) => canary);
      if (vital === undefined || pointers.length === 0) return 'ignored';
      const page = parts.claims.read(claim, visitor);
      if ('refusal' in page) return page.refusal;
      const compared = pointers.flatMap(([remote, { live, canary }]) =>
        [live, canary?.release].flatMap((release) =>
          release && page.view.releases.includes(release.id) ? [{ remote, release }] : [],
        ),
      );
      if (compared.length === 0) return 'foreign';
      const key = `${page.view.id} ${name}`;
      if (reported.get(key)) return 'replayed';
      reported.set(key, true);
      const fresh = compared.filter(({ release }) =>
        isNew([release.id, '', name].join(SEPARATOR), address, visitor),
      );
      for (const { remote, release } of fresh)
        parts.recordVital({
          remote,
          version: release.manifest.version,
          isGood: value <= GOOD_VITAL_MS[vital],
          kind: 'vital',
          name: vital,
        });
      return fresh.length > 0 ? 'counted' : 'limited';
    },
  };
}
