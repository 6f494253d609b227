import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { importPhotoFeed, runTool } from '@forecourt/harness/photoFeed';
import { kill } from '@forecourt/harness/processes';
import { startVisitors, type Visits } from '@forecourt/harness/visitors';
import { fixtureDist, promote, publish, variantOf } from '@forecourt/harness/releases';
import { getPage } from '@forecourt/harness/serverHtml';
import { Shopper } from '@forecourt/harness/shopper';
import { clearFaults, delay, injectOutage, readLead } from '../faults/upstreamFaults.ts';
import { feedRow } from '../photos/pictureServer.ts';
import { post, publishVariant, rollBack } from '../registry.ts';
import type { Site } from './servers.ts';

/** One fault, the alerts that it must cause, and its end. */
export interface FaultCase {
  readonly title: string;
  readonly alerts: readonly string[];
  begin(): Promise<void>;
  end(): Promise<void>;
}

const REMOTE = 'mfe-showcase';
const SOURCE = 'alerts';
/** Rows of the feed whose photo is lost, and whose photo is on a host that does not answer. */
const [LOST, SILENT] = [400, 1_200];
/** Connections of visitors who never pause. */
const CROWD = 96;

/** Work that is done again and again from the beginning of a fault to its end; its failures are what the fault is for. */
function during(workers: number, pauseMs: number, work: (turn: number) => Promise<unknown>) {
  let visits: Visits | undefined;
  return {
    begin: () => (visits = startVisitors(workers, pauseMs, async (turn) => void (await work(turn)))),
    end: async () => visits?.stop(),
  };
}

/** Writes to a seller. @throws Error unless the message is taken */
async function writeToSeller(api: string, key: string): Promise<void> {
  const body = { ...(await readLead(api)), comments: key, idempotencyKey: key };
  const { status } = await post(api, '/cars-for-sale/svc/email-owner', body);
  if (status !== 200) throw new Error(`the message was refused with ${status}`);
}

/** Faults in stock and emails; these alerts watch for longer than others, so they go on beside the next ones. */
export const stockFaults = ({ stack, photos, mail }: Site): readonly FaultCase[] => {
  const { 'marketplace-api': api } = stack.urls;
  const local = { LOCAL_MODE: 'true' };
  const tool = (script: string, ...args: string[]) => runTool(stack.dataDir, local, script, ...args);
  const rowOf = (at: number) => {
    const origin = at < LOST ? photos.lostOrigin : photos.silentOrigin;
    return feedRow([{ url: `${origin}/${at}.jpg`, kind: 'photo', problem: undefined }], at);
  };
  const letters = during(1, 1_000, (turn) => writeToSeller(api, `alert-${mail.refuses}-${turn}`));
  return [
    {
      title: 'photos of a feed are missing, and a host of photos is away',
      alerts: ['PhotosFailing', 'PhotosWaiting'],
      async begin() {
        photos.lost.areMissing = true;
        const rows = Array.from({ length: LOST + SILENT }, (_, at) => rowOf(at));
        await importPhotoFeed(stack.dataDir, local, SOURCE, rows);
      },
      async end() {
        photos.lost.areMissing = false;
        await photos.silent.start();
        await tool('src/photos.ts', 'retry', '--source', SOURCE);
      },
    },
    {
      title: 'the mail server is away',
      alerts: ['MailsWaiting'],
      async begin() {
        await mail.stop();
        letters.begin();
      },
      async end() {
        await letters.end();
        await mail.start();
      },
    },
    {
      title: 'the mail server refuses recipients',
      alerts: ['MailsUndeliverable'],
      async begin() {
        mail.refuses = true;
        letters.begin();
      },
      async end() {
        await letters.end();
        mail.refuses = false;
      },
    },
    {
      title: 'a feed cannot be read',
      alerts: ['FeedFailing'],
      async begin() {
        const [feed, map] = [join(stack.dataDir, 'broken.json'), join(stack.dataDir, 'broken.map.json')];
        writeFileSync(feed, '[{"vin": ');
        const mapping = JSON.parse(readFileSync(join(stack.dataDir, 'feed.map.json'), 'utf8')) as object;
        writeFileSync(map, JSON.stringify({ ...mapping, source: 'broken' }));
        // The tool exits with an error, which is recorded as the state of the feed.
        await tool('src/import.ts', feed, '--map', map).catch(() => undefined);
      },
      end: () => importPhotoFeed(stack.dataDir, local, 'broken', [rowOf(LOST + SILENT)]),
    },
    {
      title: 'a feed is removed with most of the stock',
      alerts: ['ListingsLost'],
      begin: async () => void (await tool('src/import.ts', '--remove', SOURCE)),
      end: async () => void (await tool('src/import.ts', '--undo', SOURCE)),
    },
  ];
};

/** Faults of releases and of the registry. */
export function releaseFaults({ stack, toRegistry: [first, second] }: Site): readonly FaultCase[] {
  const { 'remote-registry': registry } = stack.urls;
  const good = fixtureDist('good');
  const release = async (directory: string) => {
    const { name, version } = await publish(registry, directory);
    await promote(registry, name, version);
  };
  const folder = join(stack.dataDir, 'registry');
  /** Stops the registry, moves folders, and starts it again. */
  const restartAfter = async (...moves: readonly (readonly [from: string, to: string])[]) => {
    await kill(stack.pids['remote-registry']);
    for (const [from, to] of moves) renameSync(from, to);
    await stack.restart('remote-registry');
  };
  const reads = during(1, 100, async () => (await fetch(`${registry}/api/releases`)).text());
  return [
    {
      title: 'a release throws in every render',
      alerts: ['SlotFallingBack', 'SlotFallingBackSlowly', 'ReleaseFailing'],
      begin: () => release(fixtureDist('throws-in-render')),
      end: () => rollBack(registry, REMOTE),
    },
    {
      title: 'a release never ends a render',
      alerts: ['ReleasePaused'],
      begin: () => release(fixtureDist('hangs-in-render')),
      end: () => rollBack(registry, REMOTE),
    },
    {
      title: 'the live release needs another React',
      alerts: ['ReleaseRefused'],
      async begin() {
        const variant = variantOf(good, { version: '9.3.0', shared: { react: '^18.2.0' } });
        await release(variant.directory).finally(variant.remove);
      },
      end: () => rollBack(registry, REMOTE),
    },
    {
      title: 'one of two shells does not reach the registry',
      alerts: ['ShellsOnDifferentReleases'],
      async begin() {
        await second.stop();
        await publishVariant(registry, good, '9.3.1');
        await promote(registry, REMOTE, '9.3.1');
      },
      end: () => second.start(),
    },
    {
      title: 'no shell reaches the registry',
      alerts: ['ShellsNotFollowing'],
      begin: async () => void (await Promise.all([first.stop(), second.stop()])),
      end: async () => void (await Promise.all([first.start(), second.start()])),
    },
    {
      title: 'the registry has lost its data',
      alerts: ['SuspiciousPointers'],
      begin: () => restartAfter([folder, `${folder}.aside`]),
      end: () => restartAfter([folder, `${folder}.empty`], [`${folder}.aside`, folder]),
    },
    {
      title: 'the registry is killed',
      alerts: ['RegistryDown'],
      begin: () => kill(stack.pids['remote-registry']),
      end: () => stack.restart('remote-registry'),
    },
    {
      title: 'the registry cannot read its releases',
      alerts: ['RegistryFailing'],
      async begin() {
        renameSync(join(folder, 'releases'), join(folder, 'releases.aside'));
        reads.begin();
      },
      async end() {
        await reads.end();
        renameSync(join(folder, 'releases.aside'), join(folder, 'releases'));
      },
    },
  ];
}

/** Faults of the upstream, of accounts and of the shells themselves. */
export function serviceFaults({ stack, second, database }: Site): readonly FaultCase[] {
  const { 'marketplace-api': api, identity, shell } = stack.urls;
  const inIdentity = (sql: string) => {
    const db = new DatabaseSync(join(stack.dataDir, 'identity.sqlite'), { timeout: 5_000 });
    db.exec(sql);
    db.close();
  };
  const crowd = during(CROWD, 0, (turn) =>
    getPage(`${shell}/cars-for-sale/all/ford?minPrice=${2_000 + turn}`),
  );
  let form = '';
  const signIns = during(1, 100, () => new Shopper().send(form));
  return [
    {
      title: 'the database of rate limits crashes',
      alerts: ['LimitsNotShared'],
      begin: async () => void process.kill(database.pid()!, 'SIGQUIT'),
      end: () => database.restart(),
    },
    {
      title: 'identity is killed',
      alerts: ['IdentityDown'],
      begin: () => kill(stack.pids.identity),
      end: () => stack.restart('identity'),
    },
    {
      title: 'identity has lost a table',
      alerts: ['IdentityFailing'],
      async begin() {
        const visitor = new Shopper();
        const { headers } = await visitor.send(`${shell}/account/sign-in?refUrl=%2Faccount`);
        form = new URL(headers.get('location') ?? '', identity).href;
        inIdentity('ALTER TABLE artifact RENAME TO artifact_kept');
        signIns.begin();
      },
      async end() {
        await signIns.end();
        inIdentity('ALTER TABLE artifact_kept RENAME TO artifact');
      },
    },
    {
      title: 'the API is killed',
      alerts: [
        'ApiDown',
        'BreakerOpen',
        'SearchesFailing',
        'ResultsPagesFailing',
        'ResultsPagesFailingSlowly',
      ],
      begin: () => kill(stack.pids['marketplace-api']),
      end: () => stack.restart('marketplace-api'),
    },
    {
      title: 'the API answers with errors',
      alerts: ['ApiFailing'],
      begin: () => injectOutage(api),
      end: () => clearFaults(api),
    },
    {
      title: 'searches take 1.5 s',
      alerts: ['ResultsPagesSlow'],
      begin: () => delay(api, 'search', 1_500),
      end: () => clearFaults(api),
    },
    {
      title: 'more visitors than capacity',
      alerts: ['PagesRefused'],
      begin: async () => void crowd.begin(),
      end: crowd.end,
    },
    {
      title: 'all shells are killed',
      alerts: ['ShellsDown'],
      begin: () => Promise.all([kill(stack.pids.shell), kill(second.service().pid)]).then(() => undefined),
      end: () => Promise.all([stack.restart('shell'), second.start()]).then(() => undefined),
    },
  ];
}
