import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Class paths, until their pom.xml changes: Maven takes seconds to find them again. */
const CACHE = resolve(import.meta.dirname, '../../../../node_modules/.cache/java-servers');

const answers = (command: string, option: string): boolean => {
  try {
    execFileSync(command, [option], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Whether servers in Java can be started. */
export const canStartJavaServer = (): boolean => answers('java', '-version') && answers('mvn', '-version');

export interface JavaServer {
  readonly url: string;
  /** Stops the server, which deletes its data. */
  readonly stop: () => Promise<void>;
}

interface JavaProgram {
  /** Folder of `pom.xml` and of the program, which prints {"port":N} and ends with its standard input. */
  readonly folder: string;
  /** File of the program, which is compiled when it starts. */
  readonly file: string;
  /** E.g. '1g'. */
  readonly heap: string;
  readonly arguments?: readonly string[];
  /** A command that runs the program, e.g. in another network namespace. */
  readonly within?: readonly string[];
  /** Compiles its code completely, which takes longer than most tests. */
  readonly isMeasured?: boolean;
}

/** Paths of the program's libraries; downloads missing ones. */
async function classPath({ folder, file: program }: JavaProgram): Promise<string> {
  const pom = join(folder, 'pom.xml');
  const file = join(CACHE, `${program}-${Math.round(statSync(pom).mtimeMs)}.txt`);
  const cached = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (cached && cached.split(delimiter).every((path) => existsSync(path))) return cached;
  mkdirSync(CACHE, { recursive: true });
  const goal = ['-B', '-q', '-f', pom, 'dependency:build-classpath', `-Dmdep.outputFile=${file}`];
  await run('mvn', ['-o', ...goal]).catch(() => run('mvn', goal));
  return readFileSync(file, 'utf8');
}

/** Starts a program on a free port of this machine, unless its arguments name one. It ends with this process. */
async function launch(
  program: JavaProgram,
): Promise<{ readonly server: ChildProcess; readonly port: number }> {
  const { folder, file, heap, within = [], isMeasured = false } = program;
  const compiler = isMeasured ? [] : ['-XX:TieredStopAtLevel=1'];
  const options = [`-Xmx${heap}`, '-XX:+UseSerialGC', ...compiler, '-cp', await classPath(program)];
  const [command = '', ...words] = [...within, 'java', ...options, file, ...(program.arguments ?? [])];
  const server = spawn(command, words, {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const port = await new Promise<number>((found, reject) => {
    let log = '';
    server.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`${file} did not start: ${log}`)));
    server.stdout.on('data', (chunk: Buffer) => {
      const [, number] = /"port":(\d+)/.exec(chunk.toString()) ?? [];
      if (number) found(Number(number));
    });
  });
  return { server, port };
}

async function untilEnded(server: ChildProcess): Promise<void> {
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
}

async function stop(server: ChildProcess): Promise<void> {
  server.stdin?.end();
  await untilEnded(server);
}

export interface OpenSearchNode extends JavaServer {
  readonly pid: () => number | undefined;
  /** Resolves when the present process ends for any reason. */
  readonly ended: () => Promise<void>;
  /** Kills the node if it runs, and starts it again on the same port with the same data. */
  readonly restart: () => Promise<void>;
}

/** Starts an empty OpenSearch node. */
export async function startOpenSearch({ isMeasured = false } = {}): Promise<OpenSearchNode> {
  const home = mkdtempSync(join(tmpdir(), 'opensearch-'));
  const start = (port: number) =>
    launch({
      folder: join(import.meta.dirname, 'openSearch'),
      file: 'SearchNode.java',
      heap: isMeasured ? '2g' : '1g',
      arguments: [home, String(port)],
      isMeasured,
    });
  const first = await start(0);
  const { port } = first;
  let { server } = first;
  return {
    url: `http://127.0.0.1:${port}`,
    pid: () => server.pid,
    ended: () => untilEnded(server),
    async restart() {
      server.kill('SIGKILL');
      await untilEnded(server);
      ({ server } = await start(port));
    },
    async stop() {
      await stop(server);
      // A node that was killed leaves its data.
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The bucket of `startObjectStore`, and who may use it. */
export const OBJECT_STORE = {
  bucket: 'forecourt-test',
  credentials: { accessKeyId: 'test-access', secretAccessKey: 'test-secret' },
} as const;

const S3_STORE = { folder: join(import.meta.dirname, 'objectStore'), file: 'S3Store.java', heap: '256m' };

/** Downloads what `startObjectStore` needs, for one that starts without a network. */
export const fetchObjectStore = async (): Promise<void> => void (await classPath(S3_STORE));

interface TlsStore extends Pick<JavaProgram, 'within'> {
  readonly port: number;
  /** PKCS #12. */
  readonly keyStore: string;
  readonly password: string;
}

/** Starts an S3 server with an empty bucket, by default on this machine without TLS. */
export async function startObjectStore(tls?: TlsStore): Promise<JavaServer> {
  const { bucket, credentials } = OBJECT_STORE;
  const tlsArguments = tls ? [`https://0.0.0.0:${tls.port}`, tls.keyStore, tls.password] : [];
  const { server, port } = await launch({
    ...S3_STORE,
    arguments: [bucket, credentials.accessKeyId, credentials.secretAccessKey, ...tlsArguments],
    ...(tls?.within && { within: tls.within }),
  });
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, stop: () => stop(server) };
}
