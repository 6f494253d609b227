import { ipKeyGenerator } from 'express-rate-limit';
import type { CanaryWatch } from './canaryWatch.ts';
import { type LiveRemotes, chooseSnapshot } from './snapshot.ts';
import { releaseId } from '../rendering/release.ts';

/** A failure reported by a browser; untrusted. */
export interface BrowserFailure {
  /** Slot, or an instance of it: 'email-capture-2'. */
  readonly name: string;
  readonly phase?: string | undefined;
  readonly release?: string | undefined;
  readonly visitor: string;
  /** IP address as seen through the trusted proxies. */
  readonly address: string;
}

/** Failures of the release's code; failed downloads may be network errors. */
const PHASES: ReadonlySet<string> = new Set(['hydrate', 'render']);
/**
 * Counted visitors per IP address and release. Visitor ids are cookies and can be
 * forged; with this limit one address cannot reach the five failures that end a
 * canary (`canaryWatch.ts`).
 */
const PER_ADDRESS = 2;
/** Counted visitors per release; further ones are ignored. */
const MAX_VISITORS = 10_000;

interface CountedVisitors {
  readonly visitors: Set<string>;
  readonly byAddress: Map<string, number>;
}

/**
 * Counts browser failures against a canary, and equally against its live release:
 * each visitor once, a limited number per address, and only for the release that
 * the visitor's pages use.
 */
export function createBrowserFailures(parts: {
  readonly live: () => LiveRemotes;
  readonly record: CanaryWatch['record'];
}): { readonly report: (failure: BrowserFailure) => void } {
  /** By release id. */
  const counted = new Map<string, CountedVisitors>();

  /** Drops releases that are not being compared. */
  function dropOthers(live: LiveRemotes): void {
    const compared = new Set(
      [...live.values()].flatMap(({ live: current, canary }) =>
        canary ? [current.id, canary.release.id] : [],
      ),
    );
    for (const id of counted.keys()) if (!compared.has(id)) counted.delete(id);
  }

  function isNew(id: string, address: string, visitor: string): boolean {
    const entry: CountedVisitors = counted.get(id) ?? { visitors: new Set(), byAddress: new Map() };
    counted.set(id, entry);
    const { visitors, byAddress } = entry;
    // IPv6 customers have whole subnets, so the key is the subnet.
    const addressKey = ipKeyGenerator(address);
    const count = byAddress.get(addressKey) ?? 0;
    if (visitors.has(visitor) || visitors.size >= MAX_VISITORS || count >= PER_ADDRESS) return false;
    visitors.add(visitor);
    byAddress.set(addressKey, count + 1);
    return true;
  }

  return {
    report({ name, phase = '', release = '', visitor, address }) {
      if (!PHASES.has(phase)) return;
      const live = parts.live();
      dropOthers(live);
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
