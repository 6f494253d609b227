import { releaseManifestSchema } from '@forecourt/releases/manifest';
import { MIN_OVERRIDE_KEY, OVERRIDE_TOKEN, overrideClaimsSchema } from '@forecourt/releases/override';
import { OVERRIDES_PATH } from '@forecourt/releases/overridePaths';
import { SignJWT } from 'jose';
import type { z } from 'zod';
import { type CommandLine, readRelease, UsageError } from '../commandLine.ts';
import { callRegistry } from '@forecourt/release-kit/registryClient';
import { pointerOf, readPointers, rejectExtraArguments, releasePath } from './command.ts';

/** A link to a page where a tester confirms another release for their browser. */
interface OverrideLink {
  readonly text: string;
  readonly data: { readonly url: string; readonly until?: string; readonly isSigned: boolean };
}

/** Rejects a release that does not exist, or that is live anyway. */
async function checkRelease({ access }: CommandLine, name: string, version: string): Promise<void> {
  await callRegistry(access, { method: 'GET', path: releasePath(name, version) }, releaseManifestSchema);
  if (pointerOf(await readPointers(access), name)?.live === version)
    throw new UsageError(`${name}@${version} is live: everyone already sees it`);
}

function readOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : '';
  if (origin !== text) throw new UsageError('--origin must be an origin like http://localhost:5001');
  return origin;
}

/** One override of a link. */
type Target = Pick<z.infer<typeof overrideClaimsSchema>, 'remote' | 'version' | 'origin' | 'snapshot'>;

/** `REMOTE VERSION`, `REMOTE --origin ORIGIN`, or a set: `REMOTE@VERSION REMOTE@VERSION …`. */
async function readTargets(line: CommandLine): Promise<readonly Target[]> {
  const { args, buildOrigin } = line;
  const origin = buildOrigin === undefined ? undefined : readOrigin(buildOrigin);
  const isSet = args.length > 1 && args.every((arg) => arg.includes('@'));
  if (isSet && origin !== undefined) throw new UsageError('--origin overrides one remote, not a set');
  const targets: Target[] = [];
  for (const words of isSet ? args.map((arg) => [arg]) : [args]) {
    const { name: remote, version, rest } = readRelease(words);
    rejectExtraArguments(rest);
    if ((version ?? origin) === undefined)
      throw new UsageError('override needs REMOTE VERSION, or REMOTE --origin ORIGIN');
    if (version !== undefined && origin === undefined) await checkRelease(line, remote, version);
    if (targets.some((target) => target.remote === remote))
      throw new UsageError(`override names ${remote} twice`);
    targets.push({ remote, version, origin });
  }
  return targets;
}

/** For a shell in local mode, which lets visitors set their own overrides. */
function unsignedLink(page: URL, { remote, version, origin }: Target, minutes: number): OverrideLink {
  const fields = { remote, version, origin, minutes: String(minutes) };
  for (const [field, value] of Object.entries(fields))
    if (value !== undefined) page.searchParams.set(field, value);
  return {
    text: `Without OVERRIDE_KEY, only a shell in local mode accepts this link. Open it and confirm:\n${page.href}`,
    data: { url: page.href, isSigned: false },
  };
}

const overridesPage = ({ shell, command = '' }: CommandLine): URL => {
  if (shell === undefined) throw new UsageError(`${command} needs --shell URL, the address of the pages`);
  return new URL(OVERRIDES_PATH, shell);
};

/** A link with one signed token for each release. @throws UsageError without OVERRIDE_KEY */
export async function signedLink(line: CommandLine, targets: readonly Target[]): Promise<OverrideLink> {
  const { minutes, overrideKey } = line;
  const page = overridesPage(line);
  if (overrideKey === undefined) throw new UsageError('a link for several releases needs OVERRIDE_KEY');
  if (overrideKey.length < MIN_OVERRIDE_KEY)
    throw new UsageError(`OVERRIDE_KEY must have ${MIN_OVERRIDE_KEY} characters or more`);
  const iat = Math.floor(Date.now() / 1000);
  const exp = iat + minutes * 60;
  const sign = (one: Target) =>
    new SignJWT({
      ...overrideClaimsSchema.parse({ aud: page.origin, sub: line.by.slice(0, 100), iat, exp, ...one }),
    })
      .setProtectedHeader({ ...OVERRIDE_TOKEN })
      .sign(new TextEncoder().encode(overrideKey));
  page.searchParams.set('token', (await Promise.all(targets.map(sign))).join('~'));
  const until = new Date(exp * 1000).toISOString();
  return {
    text: `Open this and confirm; it ends at ${until}. Anyone with the link can use it in their own browser:\n${page.href}`,
    data: { url: page.href, until, isSigned: true },
  };
}

/**
 * `override REMOTE [VERSION] --shell URL`, or several REMOTE@VERSION: signed with OVERRIDE_KEY, one token each; a shell in
 * local mode needs no signature.
 */
export async function override(line: CommandLine): Promise<OverrideLink> {
  const page = overridesPage(line);
  if (line.isCleared)
    return { text: `Open this and press End:\n${page.href}`, data: { url: page.href, isSigned: false } };
  const targets = await readTargets(line);
  const [target] = targets;
  return line.overrideKey === undefined && target && targets.length === 1
    ? unsignedLink(page, target, line.minutes)
    : signedLink(line, targets);
}
