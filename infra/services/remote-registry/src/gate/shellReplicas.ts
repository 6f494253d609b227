import { lookup } from 'node:dns/promises';

export type Lookup = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

export const lookupAll: Lookup = (host) => lookup(host, { all: true });

/**
 * The URLs of all replicas behind a URL: a name with several addresses, such as a headless service's, stands for each of
 * them. Over https a URL stays as it is, because certificates are for names; list every replica there.
 */
export async function replicasOf(shellUrl: string, resolveName: Lookup): Promise<string[]> {
  const url = new URL(shellUrl);
  if (url.protocol === 'https:') return [shellUrl];
  const found = await resolveName(url.hostname.replace(/^\[|\]$/g, ''));
  // One address family: a replica with two would be asked twice, or not listen on one.
  const family = found.some((one) => one.family === 4) ? 4 : 6;
  const addresses = new Set(found.filter((one) => one.family === family).map(({ address }) => address));
  return [...addresses].map((address) => {
    url.hostname = family === 6 ? `[${address}]` : address;
    return url.href.replace(/\/$/, '');
  });
}
