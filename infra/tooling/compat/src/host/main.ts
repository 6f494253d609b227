import { writeFileSync } from 'node:fs';
import { registerTsx } from '@forecourt/build/loadTsx';
import { recordedContexts, scenarioContexts } from './contexts.ts';
import { type HostAnswer, hostRequestSchema } from './facts.ts';
import { readFacts } from './readFacts.ts';
import { renderGuest } from './renderGuest.ts';
import { treeModules } from './treeModules.ts';

// A process of its own for each tree: two trees' contracts and Reacts must not meet.
const { root, answer, remotes } = hostRequestSchema.parse(JSON.parse(process.argv[2] ?? ''));
registerTsx();
const tree = treeModules(root);
const facts = await readFacts(tree);
const recorded = await recordedContexts(tree);
const renders: HostAnswer['renders'] = {};
for (const { name, guest, own } of remotes) {
  const contexts = [...recorded, ...(await scenarioContexts(tree, root, name))];
  try {
    renders[name] = await renderGuest(guest, own, contexts, { tree, facts });
  } catch (error) {
    const problem = `does not load: ${error instanceof Error ? error.message : String(error)}`;
    renders[name] = [{ slot: '*', context: '*', problem }];
  }
}
writeFileSync(answer, JSON.stringify({ facts, renders } satisfies HostAnswer));
// What a release left running must not hold the report.
process.exit(0);
