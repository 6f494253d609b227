import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNginx } from '@forecourt/deploy/nginx';
import type { Finding, Proof, ProofContext } from '../proof.ts';
import { findExim } from './exim.ts';
import { ADDRESSES, FORGED_HOSTS } from './hosts.data.ts';
import { findKeycloak } from './keycloak.ts';
import { createNamespaces } from './namespaces.ts';
import { findStores } from './objectStores.ts';
import type { SiteMessage, SiteParts } from './site.ts';

/** A certificate for all names of the proof but the forged ones, at `tls.crt` and `tls.key`. */
function issueCertificate(folder: string): string {
  const names = Object.keys(ADDRESSES)
    .filter((name) => !FORGED_HOSTS.includes(name))
    .map((name) => `DNS:${name}`);
  const made = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=forecourt -addext subjectAltName=${names.join(',')}`;
  const certificate = join(folder, 'tls.crt');
  execFileSync('openssl', [...made.split(' '), '-keyout', join(folder, 'tls.key'), '-out', certificate], {
    stdio: 'ignore',
  });
  return certificate;
}

/** Why something isn't there, of the parts that the short form leaves out. */
const LEFT_OUT = { missing: 'not part of the short form' } as const;

/** The findings of the proof; `isShort`: of what needs neither Java nor a second site. */
export async function checkProduction(
  { onEnd, say }: ProofContext,
  { isShort }: { isShort: boolean },
): Promise<readonly Finding[]> {
  // There is no way out of the namespaces to fetch these.
  const nginx = findNginx();
  const counterparts = {
    exim: await findExim(),
    keycloak: isShort ? LEFT_OUT : await findKeycloak(),
    stores: isShort ? LEFT_OUT : await findStores(),
  };
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-production-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const certificate = issueCertificate(folder);
  const { site, internet, remove } = createNamespaces();
  onEnd(remove);
  const entry = join(import.meta.dirname, 'site.ts');
  const parts: SiteParts = { namespace: internet, tlsFolder: folder, isShort, ...counterparts };
  const command = ['netns', 'exec', site, process.execPath, entry, JSON.stringify(parts)];
  const child = spawn('ip', command, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Not in the terminal's process group: on Ctrl-C it is stopped once, by the proof.
    detached: true,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate, NGINX_BIN: nginx },
  });
  // Its last message may arrive after its end.
  const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  onEnd(async () => {
    child.kill();
    await ended;
  });
  let findings: readonly Finding[] | undefined;
  let error: string | undefined;
  child.on('message', (message: SiteMessage) => {
    if ('say' in message) say(message.say);
    else if ('findings' in message) ({ findings } = message);
    else ({ error } = message);
  });
  // It stops its services before it ends.
  const [[code]] = (await ended) as [[number | null], unknown];
  if (findings === undefined) throw new Error(error ?? `the process of the site ended with ${code}`);
  return findings;
}

export const production: Proof = {
  name: 'production',
  title: 'Outside local mode, everything reaches the Internet, and nothing the internal network',
  limitMs: 15 * 60_000,
  method:
    "All services run with `LOCAL_MODE=false` and the settings of `infra/deploy/compose.yaml`, behind nginx with the edge's template and `tls.conf`, in a network namespace whose only way out leads to a second one. There, a name server of the proof's own leads the names of push services, dealers, a mail provider, a storage provider and issuers to public addresses, and some names to internal ones. The mail provider is Debian's Exim; S3Proxy and Adobe's S3Mock are the storage, and Keycloak an issuer, where Java 17 and Maven are there; stand-ins are the rest. A visitor signs up, confirms with the link from an email, saves a vehicle of a dealer's feed, and hears by push that it costs less; a CI run publishes a release with a token of its issuer; accounts of an issuer with a path, a port and a final slash sign in, until it ends their sessions; so do those of Keycloak, whose keys then rotate, and the people of a control room. Beside each stands what must not pass.",
  run: (context) => checkProduction(context, { isShort: false }),
};
