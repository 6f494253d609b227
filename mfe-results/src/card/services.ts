import type { Owner } from '@forecourt/shared-contracts/entities';

/** Words of the services at home (AMB-087); a code that is not known is left out. */
const WORDS: Readonly<Record<string, string>> = {
  BUY_ONLINE: 'Buy online',
  HOME_DELIVERY: 'Home delivery',
  TEST_DRIVE: 'Test drive at home',
  VIRTUAL_WALKAROUND: 'Virtual walkaround',
};

/**
 * 'Home delivery · Buy online': what the dealer does at the shopper's home,
 * shipping first, without what is `said` already; undefined for nothing.
 */
export function serviceText(
  owner: Pick<Owner, 'homeServices' | 'shippingLabel'> | undefined,
  said: readonly string[] = [],
): string | undefined {
  const known = new Set(said.map((words) => words.toLowerCase()));
  const services = [owner?.shippingLabel, ...(owner?.homeServices ?? []).map((code) => WORDS[code])];
  const fresh = services.filter((words): words is string => {
    const key = words?.toLowerCase();
    return key !== undefined && known.size !== known.add(key).size;
  });
  return fresh.join(' · ') || undefined;
}
