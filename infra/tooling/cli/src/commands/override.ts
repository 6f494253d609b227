import { releaseManifestSchema } from '@forecourt/shared-contracts/slots/release';
import {
  MIN_OVERRIDE_KEY,
  OVERRIDE_TOKEN,
  overrideClaimsSchema,
} from '@forecourt/shared-contracts/slots/override';
import { OVERRIDES_PATH } from '@forecourt/shared-contracts/slots/overridePaths';
import { SignJWT } from 'jose';
import { type CommandLine, readRelease, UsageError } from '../commandLine.ts';
import { callRegistry } from '../client.ts';
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

/** `override REMOTE [VERSION] --shell URL`: signed with OVERRIDE_KEY; a shell in local mode needs no signature. */
export async function override(line: CommandLine): Promise<OverrideLink> {
  const { shell, minutes, overrideKey, buildOrigin } = line;
  if (shell === undefined) throw new UsageError('override needs --shell URL, the address of the pages');
  const page = new URL(OVERRIDES_PATH, shell);
  if (line.isCleared)
    return { text: `Open this and press End:\n${page.href}`, data: { url: page.href, isSigned: false } };

  const { name: remote, version, rest } = readRelease(line.args);
  rejectExtraArguments(rest);
  if ((version ?? buildOrigin) === undefined)
    throw new UsageError('override needs REMOTE VERSION, or REMOTE --origin ORIGIN');
  const origin = buildOrigin === undefined ? undefined : readOrigin(buildOrigin);
  if (version !== undefined && origin === undefined) await checkRelease(line, remote, version);

  if (overrideKey === undefined) {
    const fields = { remote, version, origin, minutes: String(minutes) };
    for (const [field, value] of Object.entries(fields))
      if (value !== undefined) page.searchParams.set(field, value);
    return {
      text: `Without OVERRIDE_KEY, only a shell in local mode accepts this link. Open it and confirm:\n${page.href}`,
      data: { url: page.href, isSigned: false },
    };
  }
  if (overrideKey.length < MIN_OVERRIDE_KEY)
    throw new UsageError(`OVERRIDE_KEY must have ${MIN_OVERRIDE_KEY} characters or more`);
  const iat = Math.floor(Date.now() / 1000);
  const claims = overrideClaimsSchema.parse({
    aud: page.origin,
    sub: line.by.slice(0, 100),
    iat,
    exp: iat + minutes * 60,
    remote,
    version,
    origin,
  });
  const token = await new SignJWT({ ...claims })
    .setProtectedHeader({ ...OVERRIDE_TOKEN })
    .sign(new TextEncoder().encode(overrideKey));
  page.searchParams.set('token', token);
  const until = new Date(claims.exp * 1000).toISOString();
  return {
    text: `Open this and confirm; it ends at ${until}. Anyone with the link can use it in their own browser:\n${page.href}`,
    data: { url: page.href, until, isSigned: true },
  };
}
