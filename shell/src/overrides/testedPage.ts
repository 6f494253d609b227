import type { Response } from '../server/requestContext.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import type { TesterBoot } from './testerBoot.ts';

/** What a tester's page has beyond, or instead of, everybody's. */
export interface TestedPage {
  readonly snapshot: Snapshot;
  /** HTML at the top of the page; empty when nothing is overridden. */
  readonly banner: string;
  readonly css: string;
  /** Origins that this page alone may load from. */
  readonly origins: readonly string[];
  /** Remotes whose scripts this page may run though nothing of them is live. */
  readonly remotes: readonly string[];
  readonly boot: TesterBoot;
}

/** Headers of a tester's page: nobody keeps or lists it, and it may load from where its overrides are. */
export function markTested(response: Response, tested: TestedPage): void {
  response.set({ 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' });
  const policy = response.getHeader('Content-Security-Policy');
  if (typeof policy === 'string') response.set('Content-Security-Policy', policyWith(policy, tested));
}

/** The Content Security Policy of a page that also loads a local build. */
export function policyWith(policy: string, { origins, remotes }: Pick<TestedPage, 'origins' | 'remotes'>) {
  const more: Readonly<Record<string, readonly string[]>> = {
    'style-src': origins,
    'img-src': origins,
    'font-src': origins,
    'connect-src': origins,
    'trusted-types': remotes.flatMap((remote) => [`${remote}#webpack`, `${remote}#scripts`]),
  };
  return policy
    .split('; ')
    .map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, ...new Set([...sources, ...(more[name] ?? [])])].join(' ');
    })
    .join('; ');
}
