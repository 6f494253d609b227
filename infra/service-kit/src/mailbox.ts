import { domainToASCII } from 'node:url';

interface Provider {
  /** Its domains, which deliver to one mailbox; the first stands for all. */
  readonly domains: readonly string[];
  /** Characters that it ignores in the local part. */
  readonly ignored?: RegExp;
  /** Characters that it takes for each other. */
  readonly equal?: readonly [from: RegExp, to: string];
}

/** What providers document about their own domains; elsewhere, a dot can tell two people apart. */
const PROVIDERS: readonly Provider[] = [
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
  {
    domains: ['yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'ya.ru'],
    equal: [/\./g, '-'],
  },
];
const providerOf = new Map(PROVIDERS.flatMap((provider) => provider.domains.map((name) => [name, provider])));

/** Local part and domain; a local part in quotes may hold an at sign. */
function partsOf(address: string): readonly [local: string, domain: string] {
  const [local = '', domain = ''] = address
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .split(/@(?=[^@]*$)/);
  // Unicode and punycode spell one domain; an invalid one stays as it is.
  return [local, domainToASCII(domain) || domain];
}

/**
 * The mailbox behind an address, so that variants of it share budgets and refusals: without capitals and tags (`+cars`,
 * RFC 5233), and with what its provider ignores left out. Not for delivery.
 */
export function mailboxOf(address: string): string {
  const [local, domain] = partsOf(address);
  const { domains: [own = domain] = [], ignored, equal } = providerOf.get(domain) ?? {};
  let name = local.replace(/\+.*$/, '');
  if (ignored) name = name.replace(ignored, '');
  if (equal) name = name.replace(...equal);
  return `${name || local}@${own}`;
}
