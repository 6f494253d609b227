import type { Response } from 'express';
import type { Snapshot } from '../../../server/releases/snapshot.ts';
import type { PageAddition } from '../../../server/compose/pageExtension.ts';
import { TESTER, type TesterBoot } from '../both/testerBoot.ts';
import { measureSlot } from './explain.ts';

/** What differs on a tester's page. */
export interface TestedPage {
  readonly snapshot: Snapshot;
  /** HTML at the top of the page; empty when nothing is overridden. */
  readonly banner: string;
  readonly css: string;
  /** Origins that only this page may load from. */
  readonly origins: readonly string[];
  /** Overridden remotes, which may have no live release. */
  readonly remotes: readonly string[];
  readonly boot: Omit<TesterBoot, 'slots'>;
}

/** Never cached or indexed; the page may load from the origins of its overrides. */
function setHeaders(response: Response, tested: TestedPage): void {
  response.set({ 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' });
  const policy = response.getHeader('Content-Security-Policy');
  if (typeof policy === 'string') response.set('Content-Security-Policy', policyWith(policy, tested));
}

/** The Content Security Policy of a page that also loads a local build. */
function policyWith(policy: string, { origins, remotes }: Pick<TestedPage, 'origins' | 'remotes'>) {
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

/** The tested page in terms of the shell's port. */
export const toAddition = (tested: TestedPage): PageAddition => ({
  snapshot: tested.snapshot,
  css: tested.css,
  banner: tested.banner,
  bootData: (outcomes) => ({
    name: TESTER,
    data: { ...tested.boot, slots: outcomes.map(measureSlot) } satisfies TesterBoot,
  }),
  setHeaders: (response) => setHeaders(response, tested),
});
