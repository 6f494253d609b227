import { z } from 'zod';
import { type CommandLine, UsageError } from '../commandLine.ts';
import { callRegistry, type RegistryAccess } from '../client.ts';
import {
  describeHead,
  EMPTY_LOG,
  type LogEntry,
  type LogHead,
  logPageSchema,
  readEntry,
} from '../release/log.ts';
import { canonicalJson, sha256 } from '../release/identities.ts';
import {
  type Command,
  type CommandResult,
  readPointers,
  rejectExtraArguments,
  releasePath,
} from './command.ts';

const PAGE = 1000;

/** Every entry, each verified against the one before. @throws Error which names the first broken entry */
async function* readLog(access: RegistryAccess): AsyncGenerator<{ entry: LogEntry; head: LogHead }> {
  let head = EMPTY_LOG;
  for (;;) {
    const path = `/api/log?after=${head.sequence}&limit=${PAGE}`;
    const { entries } = await callRegistry(access, { method: 'GET', path }, logPageSchema);
    if (entries.length === 0) return;
    for (const text of entries) {
      const next = readEntry(head, text);
      head = next.head;
      yield next;
    }
  }
}

/** Live releases and canaries whose manifests are not those that the log recorded. */
async function findForeign(
  access: RegistryAccess,
  published: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, { live, canary }] of Object.entries((await readPointers(access)).remotes))
    for (const version of [live, ...(canary ? [canary.version] : [])]) {
      const label = `${name}@${version}`;
      const call = { method: 'GET' as const, path: releasePath(name, version) };
      const hash = sha256(canonicalJson(await callRegistry(access, call, z.unknown())));
      if (!published.has(label))
        problems.push(`${label} is served, but the log doesn't contain its publication`);
      else if (published.get(label) !== hash) problems.push(`${label} is not the release that was published`);
    }
  return problems;
}

/** Verifies the chain, the expected head, and the releases that are served. */
async function verify({ access, expectedHead }: CommandLine): Promise<CommandResult> {
  let newest = EMPTY_LOG;
  let isExpectedFound = expectedHead === undefined;
  const published = new Map<string, unknown>();
  const problems: string[] = [];
  try {
    for await (const { entry, head } of readLog(access)) {
      newest = head;
      if (describeHead(head) === expectedHead) isExpectedFound = true;
      // The first publication counts: a version is used once.
      if (entry.action === 'publish' && !published.has(entry.subject))
        published.set(entry.subject, entry.details['manifest']);
    }
    problems.push(...(await findForeign(access, published)));
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  if (!isExpectedFound)
    problems.push(`the log no longer contains entry ${expectedHead}; it was rewritten or cut`);
  const head = describeHead(newest);
  return {
    text: problems.length > 0 ? problems.join('\n') : `the log is intact; its head is ${head}`,
    data: { isIntact: problems.length === 0, head, problems },
    hasProblem: problems.length > 0,
  };
}

const describe = ({ sequence, at, by, action, subject, details }: LogEntry): string =>
  `${sequence}  ${at}  ${by}  ${action} ${subject}  ${Object.entries(details)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ')}`;

/** `log [--limit N]`: the newest entries. `log --verify [--expect HEAD]` */
export const log: Command = async (line) => {
  rejectExtraArguments(line.args);
  if (line.expectedHead !== undefined && !line.isVerified) throw new UsageError('--expect needs --verify');
  if (line.isVerified) return verify(line);
  const entries: LogEntry[] = [];
  for await (const { entry } of readLog(line.access)) {
    entries.push(entry);
    if (entries.length > line.limit) entries.shift();
  }
  return { text: entries.map(describe).join('\n') || 'no entries', data: { entries } };
};
