import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { clearFaults, delay } from '../faults/upstreamFaults.ts';
import { type Finding, type Proof, required } from '../proof.ts';
import { BROWSER_ATTACKS } from './browserAttacks.ts';
import { fuzzing } from './fuzz.ts';
import { IDENTITY_ATTACKS, SESSION_ATTACKS } from './identityAttacks.ts';
import { MARKUP_ATTACKS } from './markupAttacks.ts';
import { PROTOCOL_ATTACKS } from './protocolAttacks.ts';
import {
  call,
  type Entry,
  json,
  MARK,
  PAGE,
  PAGES_PER_MINUTE,
  send,
  type Sent,
  type Site,
  startSite,
  unless,
  vehicleOf,
  withoutProtection,
} from './site.ts';

const LONG_MS = 400;
const LONG_PAGES = 50;

/** Pages that no cache has and that take long. Resolves to undefined if one is refused for the time that they took. */
async function openLongPages(
  { shell, api }: Site,
  sentBy: (page: number) => Sent,
): Promise<string | undefined> {
  await delay(api, 'search', LONG_MS);
  try {
    for (let page = 1; page <= LONG_PAGES; page += 1) {
      const answer = await send(`${shell}${PAGE}?long=${page}`, sentBy(page));
      // The page before, which spent the rest of the budget, says so too.
      if (answer.status === 200) continue;
      if (answer.status !== 429) return unless(false, answer);
      if (/render-ms"; r=0;/.test(String(answer.headers['ratelimit']))) return undefined;
      // The other budget is spent, by earlier attacks.
      page = 0;
      await wait(2_000);
    }
    return `${LONG_PAGES} pages of ${LONG_MS} ms`;
  } finally {
    await clearFaults(api);
  }
}

const COSTS: readonly Entry[] = [
  [
    'Mail',
    'a mailbox is bombed through variants of its address',
    async ({ shell, outbox }) => {
      for (let n = 0; n < 12; n++) {
        const headers = { Origin: shell, Cookie: `pixallId=01234567-89ab-cdef-0123-4567890000${10 + n}` };
        await send(
          shell + call('emailCapture'),
          json(
            {
              emailAddress: `vic${n % 2 ? '.' : ''}tim+${n}@${n % 3 ? 'gmail' : 'googlemail'}.com`,
              brand: 'atc',
            },
            headers,
          ),
        );
      }
      const mails = (await outbox()).filter(({ to }) => /^vic.*@g(?:oogle)?mail\.com$/.test(to));
      return mails.length === 3 && mails.every(({ kind }) => kind === 'capture-confirm')
        ? undefined
        : `${mails.length} mails`;
    },
  ],
  [
    'Unicode',
    'a mailbox is bombed through addresses that mean the same',
    async ({ shell, outbox }) => {
      for (const emailAddress of ['ｂomb', 'bｏmb', 'boｍb', 'bomｂ', 'ＢＯＭＢ', 'bomb\u200b', 'bo\u00admb'])
        await send(
          shell + call('emailCapture'),
          json({ emailAddress: `${emailAddress}@mail.example`, brand: 'atc' }, { Origin: shell }),
        );
      const mails = (await outbox()).filter(({ to }) => /^bomb@/i.test(to.normalize('NFKC')));
      return mails.length <= 3 ? undefined : `${mails.length} mails`;
    },
  ],
  [
    'Unicode',
    'a name turns the subject of an email around',
    async ({ shell, api, listing, outbox }) => {
      const { owner } = await vehicleOf(api, listing);
      const lead = {
        listingId: listing,
        ownerId: String(owner.id),
        firstName: `${MARK}\u202egnp.exe`,
        lastName: 'B',
        fromEmailAddress: 'a@b.example',
        comments: '',
        idempotencyKey: `${MARK}-bidi`,
      };
      await send(shell + call('emailOwner'), json(lead, { Origin: shell }));
      const mail = (await outbox()).find(({ subject }) => subject.startsWith(MARK));
      return mail?.subject.includes('\u202e') === false ? undefined : (mail?.subject ?? 'no email');
    },
  ],
  [
    'Mail',
    'a visitor without an account relays a text',
    async ({ shell, listing, outbox }) => {
      await send(
        shell + call('shareListing'),
        json(
          { listingId: listing, toEmail: 'vic@mail.example', fromEmail: 'a@b.example', message: MARK },
          { Origin: shell },
        ),
      );
      return (await outbox()).some(({ to }) => to === 'vic@mail.example') ? 'sent' : undefined;
    },
  ],
  [
    'Popularity',
    'a loop over a vehicle',
    async ({ shell, api, listing }) => {
      const { vin } = (await vehicleOf(api, listing)).listing;
      const views = async () =>
        Object.values(
          (await (
            await fetch(`${api}/cars-for-sale/svc/listing-view-count?vin=${vin}&dateRange=1`)
          ).json()) as Record<string, number>,
        ).reduce((sum, n) => sum + n, 0);
      const before = await views();
      for (let n = 0; n < 30; n++) await send(`${shell}/cars-for-sale/vehicle/${listing}`);
      await wait(300);
      const after = await views();
      return after >= 1 && after - before <= 10 ? undefined : `${before}, then ${after} views`;
    },
  ],
  [
    'Cost',
    'pages that no cache has, by odd parameters and a crawler’s name',
    async ({ shell }) => {
      const statuses: number[] = [];
      for (let n = 0; n <= PAGES_PER_MINUTE; n++)
        statuses.push(
          (await send(`${shell}${PAGE}?x${n}=${n}`, { headers: { 'User-Agent': 'Googlebot/2.1' } })).status,
        );
      const cached = await send(shell + PAGE);
      return statuses.at(-1) === 429 && cached.status === 200
        ? undefined
        : `${statuses.at(-1)}, and ${cached.status} for a cached page`;
    },
  ],
  [
    'Cost',
    'pages that take long, fewer than a network may have',
    (site) => openLongPages(site, () => ({ from: '127.0.1.1' })),
  ],
  [
    'Cost',
    'pages of one account that take long, each from another network',
    (site) => {
      const headers = { Cookie: site.ada.cookiesOf(site.shell) };
      return openLongPages(site, (page) => ({ from: `127.0.2.${page}`, headers }));
    },
  ],
];

/** Every file below a folder. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );

const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(entry.parentPath, entry.name)] : [],
  );

const TRACES: readonly Entry[] = [
  [
    'Files',
    'another user reads data',
    async ({ dataDir }) =>
      [...filesIn(dataDir), ...foldersIn(dataDir)]
        .filter((path) => (statSync(path).mode & 0o077) !== 0)
        .slice(0, 3)
        .join() || undefined,
  ],
  [
    'Logs',
    'what visitors enter is logged or counted',
    async ({ shell, identity, api, dataDir, ada, listing }) => {
      const fields = {
        emailAddress: `${MARK}@mail.example`,
        toEmail: `${MARK}@mail.example`,
        fromEmail: `${MARK}@mail.example`,
        email: `${MARK}@mail.example`,
        comments: MARK,
        message: MARK,
        firstName: MARK,
        lastName: MARK,
        fromEmailAddress: `${MARK}@mail.example`,
        bookmarkTitle: MARK,
        listingId: listing,
        reason: 'SOLD',
        brand: 'atc',
        search: `keyword=${MARK}`,
      };
      for (const name of [
        'emailCapture',
        'subscribeAlert',
        'shareListing',
        'reportListing',
        'emailOwner',
        'saveSearch',
        'saveLeadProfile',
      ])
        await ada.send(shell + call(name, `x=${MARK}`), {
          json: { ...fields, idempotencyKey: `${MARK}-${name}` },
        });
      for (const path of [
        `${PAGE}?keyword=${MARK}`,
        `/${MARK}`,
        `/account/sign-in?refUrl=/${MARK}`,
        `/cars-for-sale/vehicle/${MARK}`,
      ])
        await send(shell + path, {
          headers: { Referer: `${shell}/${MARK}`, Cookie: `a=${MARK}`, 'User-Agent': `Mozilla/5.0 ${MARK}` },
        });
      for (const path of [`/reset/${MARK}`, `/interaction/${MARK}`, `/auth?client_id=${MARK}`])
        await send(identity + path);
      for (const path of [`/cars-for-sale/svc/unsubscribe/${MARK}`, `/rest/lsc/listing?keyword=${MARK}`])
        await send(api + path);
      await wait(500);
      const logs = readdirSync(join(dataDir, 'logs')).filter((name) =>
        readFileSync(join(dataDir, 'logs', name), 'utf8')
          .toLowerCase()
          .includes(MARK.toLowerCase()),
      );
      const metrics = await Promise.all(
        [shell, identity, api].map(async (origin) => (await send(`${origin}/metrics`)).text.includes(MARK)),
      );
      return logs.length > 0 || metrics.includes(true) ? `${logs.join()} ${metrics.join()}` : undefined;
    },
  ],
];

/** In this order: the last ones use up budgets. */
const ATTACKS = [
  ...BROWSER_ATTACKS,
  ...MARKUP_ATTACKS,
  ...SESSION_ATTACKS,
  ...TRACES,
  ...PROTOCOL_ATTACKS,
  ...COSTS,
  ...IDENTITY_ATTACKS,
];
const FUZZED = { short: 1_500, long: 100_000 } as const;

const nameOf = ([topic, attack]: Entry): string => `${topic}: ${attack}`.replaceAll('|', '/');
const attackBy = ([, , run]: Entry, site: Site): Promise<string | undefined> =>
  run(site).catch((error: unknown) => `failed: ${String(error)}`);

/** Attacks that must succeed without the settings of the site, or else they prove nothing. */
const isRepelledBySettings = ([topic, attack]: Entry): boolean =>
  topic === 'Defaults' ||
  topic === 'Cost' ||
  (topic === 'SSRF' && !attack.includes('file:')) ||
  (topic === 'Host' && attack.startsWith('Host "'));

export const abuse: Proof = {
  name: 'abuse',
  title: 'Attacks on the running services are repelled',
  limitMs: 30 * 60_000,
  method: `${ATTACKS.length + 1} attacks against a stack of its own, over HTTP and raw connections, one after another. \`SITE_HOSTS\` and the limits per minute of \`RENDER_LIMITS\` are set; one more API runs without any setting. The attacks that settings repel then run without these settings, where they must succeed. \`npm run proofs -- abuse --long\` sends ${FUZZED.long} fuzzed requests instead of ${FUZZED.short}.`,
  async run({ onEnd, say, isLong }) {
    const site = await startSite({ onEnd });
    const findings: Finding[] = [];
    for (const entry of [...ATTACKS, fuzzing(FUZZED[isLong ? 'long' : 'short'])]) {
      const achieved = await attackBy(entry, site);
      if (achieved !== undefined) say(`${nameOf(entry)}: ${achieved}`);
      findings.push(required(nameOf(entry), achieved ?? 'repelled', 'repelled', achieved === undefined));
    }
    const unprotected = await withoutProtection(site, { onEnd });
    const controls = ATTACKS.filter(isRepelledBySettings);
    const harmless: string[] = [];
    for (const entry of controls)
      if ((await attackBy(entry, unprotected)) === undefined) harmless.push(nameOf(entry));
    findings.push(
      required(
        `Of ${controls.length} attacks that settings repel, those that fail without them`,
        harmless.length === 0 ? 'none' : harmless.join('; '),
        'none',
        harmless.length === 0,
      ),
    );
    return findings;
  },
};
