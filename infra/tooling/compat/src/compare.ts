import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseManifestSchema } from '@forecourt/shared-contracts/slots/release';
import { CompatError } from './trees/olderTree.ts';
import {
  type ContractJudgement,
  judge,
  judgeBoth,
  judgeContracts,
  type Judgement,
} from './contract/judge.ts';
import { usedContracts } from './contract/usedExports.ts';
import { runHost, type HostResult, type TreeFacts } from './host/runHost.ts';
import { remotesOf } from './trees/builtRemotes.ts';

interface RemoteComparison {
  readonly remote: string;
  /** The older release in this tree's shell; absent when the older tree has no such remote. */
  readonly olderHere?: Judgement;
  /** This tree's release in the older shell; absent when this tree has no such remote. */
  readonly hereInOlder?: Judgement;
}

export interface Comparison {
  readonly remotes: readonly RemoteComparison[];
  readonly contracts: ContractJudgement;
}

const distOf = (root: string, name: string): string => join(root, name, 'dist');

async function compareInHost(host: string, guests: string): Promise<HostResult> {
  const remotes = remotesOf(guests).map((name) => ({
    name,
    guest: distOf(guests, name),
    ...(existsSync(distOf(host, name)) && { own: distOf(host, name) }),
  }));
  return runHost({ root: host, remotes }).catch((error: unknown) => {
    const { stderr } = error as { stderr?: string };
    throw new CompatError('HOST_FAILED', `the contracts of ${host} do not run:\n${stderr ?? String(error)}`, {
      cause: error,
    });
  });
}

function judgeGuest(
  root: string,
  name: string,
  home: TreeFacts,
  { facts, renders }: HostResult,
): Judgement | undefined {
  if (!existsSync(distOf(root, name))) return undefined;
  const manifest = releaseManifestSchema.parse(
    JSON.parse(readFileSync(join(distOf(root, name), 'release.json'), 'utf8')),
  );
  const used = usedContracts(join(root, name, 'src'));
  return judge({ manifest, used, home, renders: renders[name] ?? [] }, facts);
}

/** Compares two trees with built remotes. */
export async function compareTrees(here: string, older: string): Promise<Comparison> {
  const [inThis, inOlder] = await Promise.all([compareInHost(here, older), compareInHost(older, here)]);
  const names = [...new Set([...remotesOf(older), ...remotesOf(here)])].sort();
  const remotes = names.map((remote): RemoteComparison => {
    const olderHere = judgeGuest(older, remote, inOlder.facts, inThis);
    const hereInOlder = judgeGuest(here, remote, inThis.facts, inOlder);
    if (!olderHere || !hereInOlder)
      return { remote, ...(olderHere && { olderHere }), ...(hereInOlder && { hereInOlder }) };
    const [one, other] = judgeBoth(olderHere, hereInOlder);
    return { remote, olderHere: one, hereInOlder: other };
  });
  return { remotes, contracts: judgeContracts(inOlder.facts, inThis.facts) };
}
