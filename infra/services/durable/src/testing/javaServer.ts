import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Class paths, until their pom.xml changes: Maven takes seconds to find them again. */
const CACHE = resolve(import.meta.dirname, '../../../../../node_modules/.cache/java-servers');

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

/** Starts a server on a free port of this machine. It ends with this process. */
async function startJavaServer(program: JavaProgram): Promise<JavaServer> {
  const { folder, file, heap, isMeasured = false } = program;
  const compiler = isMeasured ? [] : ['-XX:TieredStopAtLevel=1'];
  const options = [`-Xmx${heap}`, '-XX:+UseSerialGC', ...compiler, '-cp', await classPath(program)];
  const server = spawn('java', [...options, file, ...(program.arguments ?? [])], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = new Promise<void>((done) => server.once('exit', () => done()));
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
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.stdin.end();
      await exited;
    },
  };
}

/** Starts an empty OpenSearch node. */
export const startOpenSearch = ({ isMeasured = false } = {}): Promise<JavaServer> =>
  startJavaServer({
    folder: join(import.meta.dirname, 'openSearch'),
    file: 'SearchNode.java',
    heap: '1g',
    isMeasured,
  });

/** The bucket of `startObjectStore`, and who may use it. */
export const OBJECT_STORE = {
  bucket: 'forecourt-test',
  credentials: { accessKeyId: 'test-access', secretAccessKey: 'test-secret' },
} as const;

/** Starts an S3 server with an empty bucket. */
export const startObjectStore = (): Promise<JavaServer> => {
  const { bucket, credentials } = OBJECT_STORE;
  return startJavaServer({
    folder: join(import.meta.dirname, 'objectStore'),
    file: 'S3Store.java',
    heap: '256m',
    arguments: [bucket, credentials.accessKeyId, credentials.secretAccessKey],
  });
};
