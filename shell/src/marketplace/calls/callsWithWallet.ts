import { CALLS, type CallDefinition, type CallName } from '@forecourt/upstream/calls';

/** All calls; those to the wallet are below `base`, a path with a slash at its end. */
export function callsWithWallet(base: string): Readonly<Record<CallName, CallDefinition>> {
  const below = (call: CallDefinition): CallDefinition => ({ ...call, path: base + call.path.slice(1) });
  return { ...CALLS, saveDeal: below(CALLS.saveDeal), updateDeal: below(CALLS.updateDeal) };
}
