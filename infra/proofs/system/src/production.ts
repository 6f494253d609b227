import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { startEdge } from '@forecourt/deploy/nginx';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { freePort, removeDataDir, REPOSITORY } from '@forecourt/local';
import { type Shopper, signIn, signUp } from './faults/shopper.ts';
import { until, type Finding, type Proof, type ProofContext, required } from './proof.ts';

const EMAIL = 'ada.production@example.com';
const SECRET = 'production-proof-secret-of-32-characters';
/** Two names of this machine, so that site and issuer have cookies of their own, as in production. */
const SITE_HOST = '127.0.0.1';
const IDENTITY_HOST = 'localhost';
const TLS_CONF = join(REPOSITORY, 'infra/deploy/nginx/tls.conf');
/** s that a shell may take to notice that a session ended elsewhere. */
const SIGN_OUT_SECONDS = 2;

/** A certificate for both names, which this process trusts from now on. */
function issueCertificate(folder: string): { readonly certificate: string; readonly key: string } {
  const [certificate, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  const names = `subjectAltName=IP:${SITE_HOST},DNS:${IDENTITY_HOST}`;
  const made = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=forecourt -addext ${names}`;
  execFileSync('openssl', [...made.split(' '), '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificate, 'utf8')]);
  return { certificate, key };
}

/** A mail server that offers STARTTLS, and the emails that arrived encrypted and in plain text. */
async function startMailServer(tls: ReturnType<typeof issueCertificate>, { onEnd }: ProofContext) {
  const emails: Email[] = [];
  let plainCount = 0;
  const server = new SMTPServer({
    authOptional: true,
    cert: readFileSync(tls.certificate),
    key: readFileSync(tls.key),
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        if (!session.secure) plainCount += 1;
        void PostalMime.parse(Buffer.concat(parts)).then((email) => {
          emails.push(email);
          done();
        });
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, SITE_HOST, resolve));
  onEnd(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://${SITE_HOST}:${port}`, emails, plainCount: () => plainCount };
}

/** All services outside local mode behind the edge, as compose.yaml starts them. */
async function startSite(context: ProofContext) {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-production-'));
  context.onEnd(() => removeDataDir(folder));
  const tls = issueCertificate(folder);
  const mail = await startMailServer(tls, context);
  const ports: number[] = [];
  for (let count = 0; count < 5; count += 1) ports.push(await freePort(ports));
  const [shell, api, registry, identity, edge] = ports as [number, number, number, number, number];
  const site = `https://${SITE_HOST}:${edge}`;
  const issuer = `https://${IDENTITY_HOST}:${edge}`;
  const stack = await startOwnStack({
    ports: { shell, 'marketplace-api': api, 'remote-registry': registry, identity },
    environment: {
      LOCAL_MODE: 'false',
      NODE_EXTRA_CA_CERTS: tls.certificate,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_SECRET: SECRET,
      OIDC_CLIENTS: JSON.stringify({ shell: { secret: SECRET, origins: [site] } }),
      SESSION_SECRET: SECRET,
      REGISTRY_TOKEN: SECRET,
      GATE_TOKEN: SECRET,
      RELEASE_ISOLATION: 'strictest',
      SITE_URL: site,
      PUBLIC_API_URL: site,
      SMTP_URL: mail.url,
      TRUST_PROXY: '1',
    },
  });
  context.onEnd(stack.remove);
  mkdirSync(join(folder, 'server.d'));
  writeFileSync(
    join(folder, 'server.d/tls.conf'),
    readFileSync(TLS_CONF, 'utf8')
      .replace('listen 8443', `listen ${edge}`)
      .replace('/run/secrets/tls_certificate', tls.certificate)
      .replace('/run/secrets/tls_key', tls.key),
  );
  const server = (port: number) => `server 127.0.0.1:${port};`;
  const proxy = await startEdge(folder, await freePort(), {
    PUBLIC_SCHEME: 'https',
    SHELL_SERVERS: server(shell),
    IDENTITY_SERVERS: server(identity),
    IDENTITY_HOST,
  });
  context.onEnd(() => proxy.stop());
  return { site, issuer, stack, mail };
}

const equal = (measure: string, value: string | number, expected: string | number): Finding =>
  required(measure, value, String(expected), value === expected);

const statusOf = async (url: string): Promise<number> => (await fetch(url, { redirect: 'manual' })).status;

/** Whether the saved vehicles of this browser include the listing. */
const hasSaved = async (shopper: Shopper, site: string, listing: string): Promise<string> =>
  (await shopper.open(`${site}/account/saved-vehicles`)).text.includes(listing) ? 'yes' : 'no';

const isSignedIn = async (shopper: Shopper, site: string): Promise<string> =>
  (await shopper.send(`${site}/account`)).status === 200 ? 'yes' : 'no';

/** The life of an account: sign-up by email, a saved vehicle, sign-out, and sign-in with the password. */
async function useAccount({ site, issuer, mail }: Awaited<ReturnType<typeof startSite>>): Promise<Finding[]> {
  const readMail = async () => {
    await until('the confirmation arrives', () => mail.emails.length > 0);
    return mail.emails.at(-1)?.text ?? '';
  };
  const shopper = await signUp(site, issuer, EMAIL, readMail);
  const page = await shopper.open(`${site}/cars-for-sale/all-cars`);
  const listing = /\/cars-for-sale\/vehicle\/(\d+)/.exec(page.text)?.[1] ?? '';
  await shopper.write(site, 'saveListing', { listingId: listing });
  const saved = await hasSaved(shopper, site, listing);
  const cookies = shopper.cookieNames(site);
  const isHostCookie = cookies.some((name) => name.startsWith('__Host-account'));
  const stolen = shopper.copy();
  await shopper.open(`${site}/account/sign-out`, { form: {} });
  await wait(SIGN_OUT_SECONDS * 1000);
  const again = await signIn(site, EMAIL);
  return [
    equal('Emails with a confirmation to the address', mail.emails.filter(isTo(EMAIL)).length, 1),
    equal('Emails that left without TLS', mail.plainCount(), 0),
    required('Session cookie', cookies.join(', '), '__Host-account', isHostCookie),
    equal('The saved vehicle is listed', saved, 'yes'),
    equal('Signed in after sign-out', await isSignedIn(shopper, site), 'no'),
    equal(
      `A copy of the session, ${SIGN_OUT_SECONDS} s after sign-out: signed in`,
      await isSignedIn(stolen, site),
      'no',
    ),
    equal('The saved vehicle after a sign-in with the password', await hasSaved(again, site, listing), 'yes'),
  ];
}

const isTo =
  (address: string) =>
  ({ to }: Email): boolean =>
    to?.some((one) => one.address === address) ?? false;

export const production: Proof = {
  name: 'production',
  title: 'Accounts work outside local mode, over TLS',
  limitMs: 6 * 60_000,
  method:
    "All services run with `LOCAL_MODE=false` and the settings of `infra/deploy/compose.yaml`, behind nginx with the edge's template and `tls.conf` and a certificate of the proof's own. A visitor signs up, confirms with the link from an email that a mail server received, saves a vehicle, signs out, and signs in again.",
  async run(context) {
    const running = await startSite(context);
    const { site, issuer, stack } = running;
    const findings = await useAccount(running);
    const { identity, 'marketplace-api': api, 'remote-registry': registry } = stack.urls;
    const local = [
      `${issuer}/outbox`,
      `${identity}/outbox`,
      `${api}/outbox`,
      `${api}/__faults`,
      `${site}/metrics`,
    ];
    const statuses = await Promise.all(local.map(statusOf));
    const written = await fetch(`${registry}/api/remotes/mfe-leads/rollback`, { method: 'POST' });
    return [
      ...findings,
      equal('Outboxes, fault switches and metrics', [...new Set(statuses)].join(), '404'),
      equal('A rollback without a token', written.status, 401),
    ];
  },
};
