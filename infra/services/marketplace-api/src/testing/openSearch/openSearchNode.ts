import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** The class path, until pom.xml changes: Maven takes seconds to find it again. */
const CACHE = resolve(import.meta.dirname, '../../../../../../node_modules/.cache/search-node');
const HEAP = '1g';

const answers = (command: string, option: string): boolean => {
  try {
    execFileSync(command, [option], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Whether `startOpenSearch` can start a node. */
export const canStartOpenSearch = (): boolean => answers('java', '-version') && answers('mvn', '-version');

export interface OpenSearchNode {
  readonly url: string;
  /** Stops the node, which deletes its data. */
  readonly stop: () => Promise<void>;
}

/** Paths of the node's libraries; downloads missing ones. */
async function classPath(): Promise<string> {
  const pom = join(import.meta.dirname, 'pom.xml');
  const file = join(CACHE, `${Math.round(statSync(pom).mtimeMs)}.txt`);
  const cached = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (cached && cached.split(delimiter).every((path) => existsSync(path))) return cached;
  mkdirSync(CACHE, { recursive: true });
  const goal = ['-B', '-q', '-f', pom, 'dependency:build-classpath', `-Dmdep.outputFile=${file}`];
  await run('mvn', ['-o', ...goal]).catch(() => run('mvn', goal));
  return readFileSync(file, 'utf8');
}

/**
 * Starts an empty OpenSearch node on a free port of this machine. It ends with this process. `isMeasured` compiles its
 * code completely, which takes longer than most tests.
 */
export async function startOpenSearch({ isMeasured = false } = {}): Promise<OpenSearchNode> {
  const compiler = isMeasured ? [] : ['-XX:TieredStopAtLevel=1'];
  const node = spawn(
    'java',
    [`-Xmx${HEAP}`, '-XX:+UseSerialGC', ...compiler, '-cp', await classPath(), 'SearchNode.java'],
    { cwd: import.meta.dirname, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const exited = new Promise<void>((done) => node.once('exit', () => done()));
  const port = await new Promise<number>((found, reject) => {
    let log = '';
    node.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    node.once('error', reject);
    node.once('exit', () => reject(new Error(`OpenSearch did not start: ${log}`)));
    node.stdout.on('data', (chunk: Buffer) => {
      const [, number] = /"port":(\d+)/.exec(chunk.toString()) ?? [];
      if (number) found(Number(number));
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      node.stdin.end();
      await exited;
    },
  };
}
