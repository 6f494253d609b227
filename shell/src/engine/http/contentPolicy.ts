import { policyNamesOf } from '@forecourt/releases/containerNames';

/**
 * Names of the Trusted Types policies: the shell's own, those of its inline scripts,
 * webpack's for the shell and each remote, and one per remote for scripts that it
 * loads itself.
 */
export const policyNames = (remotes: Iterable<string>): string =>
  [
    'forecourt',
    'forecourt#early',
    'forecourt#entry',
    'shell#webpack',
    ...[...remotes].flatMap(policyNamesOf),
  ].join(' ');

/** The Content Security Policy of a page whose style elements have these hashes, or of a response without one. */
export type ContentPolicy = (...styleHashes: readonly string[]) => string;

/**
 * Two policies in one header, both of which apply. Inline scripts and styles are allowed by their hash, so that a page is
 * the same in each response (ADR 21); what these scripts load is allowed by strict-dynamic, which ignores origins. So the
 * second policy limits scripts to this origin: a release can load no script that was not released. No eval, and no third parties except the origins in `connectTargets`. Style
 * attributes are allowed because React writes them. Forms may also lead to the origins in `formTargets`; pages of an
 * issuer on further ones are reached by links (`leaveForm`).
 */
export function createContentPolicy(options: {
  readonly remotes: () => Iterable<string>;
  readonly scriptHashes: readonly string[];
  readonly formTargets?: readonly string[];
  readonly connectTargets?: readonly string[];
  /** Path that takes reports of violations; the endpoint is called `policy`. */
  readonly reportsTo: string;
}): ContentPolicy {
  const { remotes, scriptHashes, formTargets = [], connectTargets = [], reportsTo } = options;
  // The second is for browsers without the Reporting API.
  const reports = ['report-to policy', `report-uri ${reportsTo}`];
  const ownScripts = [`script-src 'self' ${scriptHashes.join(' ')}`.trim(), ...reports].join('; ');
  return (...styleHashes) =>
    `${[
      "default-src 'none'",
      `script-src ${scriptHashes.join(' ')} 'strict-dynamic'`,
      ["style-src 'self'", ...styleHashes].join(' '),
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data:",
      ["connect-src 'self'", ...connectTargets].join(' '),
      "font-src 'self'",
      "manifest-src 'self'",
      "worker-src 'self'",
      "frame-src 'self'",
      ["form-action 'self'", ...formTargets].join(' '),
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      `trusted-types ${policyNames(remotes())}`,
      ...reports,
    ].join('; ')}, ${ownScripts}`;
}
