import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@forecourt/local';
import { S3Bucket } from '@forecourt/service-kit/bucket';
import {
  canStartJavaServer,
  fetchObjectStore,
  OBJECT_STORE,
  startObjectStore,
} from '@forecourt/service-kit/javaServer';
import { type ProofContext, until } from '../proof.ts';
import { FORGED_STORE_HOST, STORE_HOST, STORE_PORTS } from './hosts.data.ts';

const VERSION = '4.12.4';
const MOCK = `com.adobe.testing:s3mock:${VERSION}:jar:exec`;
const CACHE = join(REPOSITORY, '.cache/s3mock');
/** ms of a download of 60 MB. */
const FETCH_MS = 300_000;
/** ms on a busy machine. */
const START_MS = 120_000;
const KEY_STORE = { file: 'tls.p12', name: 'forecourt', password: 'production-proof' } as const;
const REGION = 'us-east-1';

/** Servers that speak S3's protocol, or in plain words why there are none. */
export type StoreFiles = { readonly mock: string } | { readonly missing: string };

const run = promisify(execFile);

/** Fetches S3Proxy and Adobe's S3Mock by Maven for this repository. */
export async function findStores(): Promise<StoreFiles> {
  if (!canStartJavaServer()) return { missing: 'needs Java and Maven' };
  const mock = join(CACHE, `s3mock-${VERSION}-exec.jar`);
  mkdirSync(CACHE, { recursive: true });
  const copy = ['-q', '-B', 'dependency:copy', `-Dartifact=${MOCK}`, `-DoutputDirectory=${CACHE}`];
  try {
    await fetchObjectStore();
    if (!existsSync(mock)) await run('mvn', copy, { cwd: CACHE, timeout: FETCH_MS });
  } catch {
    return { missing: `S3Proxy or ${MOCK} can't be fetched by Maven` };
  }
  return { mock };
}

/** A bucket at a server of the Internet. */
export interface Store {
  readonly name: string;
  /** Of a service that uses it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Keys below a folder of the bucket. */
  readonly keysOf: (folder: string) => Promise<readonly string[]>;
}

/** @param host the name by which services reach it */
function storeAt(name: string, port: number, host = STORE_HOST): Store {
  const { bucket, credentials } = OBJECT_STORE;
  const endpoint = `https://${host}:${port}`;
  const client = new S3Bucket({
    bucket,
    prefix: '',
    region: REGION,
    endpoint,
    isPathStyle: true,
    credentials,
  });
  const query = new URLSearchParams({ region: REGION, endpoint, pathStyle: 'true' });
  return {
    name,
    environment: {
      // Without a path, so that each service has a folder of its own.
      BUCKET: `s3://${bucket}?${query.toString()}`,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    async keysOf(folder) {
      const keys: string[] = [];
      for await (const { key } of client.list(folder)) keys.push(key);
      return keys;
    },
  };
}

export interface Stores {
  /** Checks signatures. */
  readonly s3Proxy: Store;
  readonly s3Mock: Store;
  /** S3Proxy by a name that its certificate lacks. */
  readonly forged: Store;
}

/** Starts both in the network namespace of the Internet, with the certificate of all hosts. */
export async function startStores(
  { namespace, tlsFolder, mock }: { namespace: string; tlsFolder: string; mock: string },
  { onEnd }: Pick<ProofContext, 'onEnd'>,
): Promise<Stores> {
  const within = ['ip', 'netns', 'exec', namespace];
  const { name, password } = KEY_STORE;
  const keyStore = join(tlsFolder, KEY_STORE.file);
  const pair = ['-in', join(tlsFolder, 'tls.crt'), '-inkey', join(tlsFolder, 'tls.key')];
  const made = ['-name', name, '-out', keyStore, '-passout', `pass:${password}`];
  execFileSync('openssl', ['pkcs12', '-export', ...pair, ...made]);
  const s3Proxy = await startObjectStore({ within, port: STORE_PORTS.s3Proxy, keyStore, password });
  onEnd(s3Proxy.stop);
  const log = openSync(join(tlsFolder, 's3mock.log'), 'a');
  const [command = '', ...options] = [
    ...within,
    ...['java', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-jar', mock],
    `--server.port=${STORE_PORTS.s3Mock}`,
    `--server.ssl.key-store=${keyStore}`,
    `--server.ssl.key-store-password=${password}`,
    '--server.ssl.key-store-type=PKCS12',
    `--server.ssl.key-alias=${name}`,
    `--server.ssl.key-password=${password}`,
    `--com.adobe.testing.s3mock.store.initial-buckets=${OBJECT_STORE.bucket}`,
    `--com.adobe.testing.s3mock.store.root=${join(tlsFolder, 's3mock')}`,
  ];
  mkdirSync(join(tlsFolder, 's3mock'));
  const child = spawn(command, options, { stdio: ['ignore', log, log] });
  const ended = once(child, 'exit');
  onEnd(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const stores = {
    s3Proxy: storeAt('S3Proxy', STORE_PORTS.s3Proxy),
    s3Mock: storeAt('S3Mock', STORE_PORTS.s3Mock),
    forged: storeAt('S3Proxy', STORE_PORTS.s3Proxy, FORGED_STORE_HOST),
  };
  await until(
    'S3Mock is there',
    () => {
      if (child.exitCode !== null) throw new Error(`S3Mock ended with ${child.exitCode}`);
      return stores.s3Mock.keysOf('').then(
        () => true,
        () => false,
      );
    },
    { limitMs: START_MS, everyMs: 250 },
  );
  return stores;
}
