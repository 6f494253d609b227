import { ipKeyGenerator } from 'express-rate-limit';
import type { CanaryWatch } from './canaryWatch.ts';
import { type LiveRemotes, chooseSnapshot } from './snapshot.ts';
import { releaseId } from '../rendering/release.ts';

/** What a browser says of a slot that failed in it; all of it may be made up. */
export interface BrowserFailure {
  /** Slot, or an instance of it: 'email-capture-2'. */
  readonly name: string;
  readonly phase?: string | undefined;
  readonly release?: string | undefined;
  readonly visitor: string;
  /** IP address, as far as the trusted proxies tell it. */
  readonly address: string;
}

/** Failures of the code; a file that did not come may be the network's fault. */
const PHASES: ReadonlySet<string> = new Set(['hydrate', 'render']);
/**
 * Visitors of one address who count for one release. Ids are cookies, which
 * anybody can make up, addresses are not: one who forges reports stays below
 * the five failures without which no canary is ended (`canaryRule.ts`).
 */
const PER_ADDRESS = 2;
/** Visitors remembered for one release; what comes after them counts no more, and no less is known by then. */
const MAX_VISITORS = 10_000;

interface Counted {
  readonly visitors: Set<string>;
  readonly byAddress: Map<string, number>;
}

/**
 * Lets what failed in browsers count against a canary, and in the same way
 * against the live release beside it: each visitor once, a few of one address,
 * and only for the release that this visitor's pages are made of.
 */
export function createBrowserFailures(parts: {
  readonly live: () => LiveRemotes;
  readonly record: CanaryWatch['record'];
}): { readonly report: (failure: BrowserFailure) => void } {
  /** By release. */
  const counted = new Map<string, Counted>();

  /** Only while they stand beside each other are releases compared. */
  function forgetOthers(live: LiveRemotes): void {
    const compared = new Set(
      [...live.values()].flatMap(({ live: current, canary }) =>
        canary ? [current.id, canary.release.id] : [],
      ),
    );
    for (const id of counted.keys()) if (!compared.has(id)) counted.delete(id);
  }

  function isNew(id: string, address: string, visitor: string): boolean {
    const known: Counted = counted.get(id) ?? { visitors: new Set(), byAddress: new Map() };
    counted.set(id, known);
    const { visitors, byAddress } = known;
    // Whole networks of IPv6 belong to one customer.
    const place = ipKeyGenerator(address);
    const before = byAddress.get(place) ?? 0;
    if (visitors.has(visitor) || visitors.size >= MAX_VISITORS || before >= PER_ADDRESS) return false;
    visitors.add(visitor);
    byAddress.set(place, before + 1);
    return true;
  }

  return {
    report({ name, phase = '', release = '', visitor, address }) {
      if (!PHASES.has(phase)) return;
      const live = parts.live();
      forgetOthers(live);
      const [remote = ''] = release.split('@', 1);
      if (!live.get(remote)?.canary) return;
      const own = chooseSnapshot(live, visitor).get(remote);
      if (!own || releaseId(remote, own.manifest.version) !== release) return;
      const slot = name.replace(/-\d+$/, '');
      if (!Object.hasOwn(own.manifest.slots, slot)) return;
      if (isNew(own.id, address, visitor)) parts.record(remote, own.manifest.version, false);
    },
  };
}
