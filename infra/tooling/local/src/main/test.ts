import { parseArgs } from 'node:util';
import { checkComposedPage, NEEDED_BY, STAGES, type Stage, stagesOf, runSections } from '../testSections.ts';
import {
  browserTestsByNeed,
  browserTestsFor,
  browserTestsInCluster,
  browserTestsOf,
  changedFiles,
} from '../repository.ts';
import { onStopRequest } from '../runTool.ts';

const EXIT_STOPPED = 130;

/** What the change since `since` touches. */
async function changedStages(since: string | undefined): Promise<readonly Stage[]> {
  const files = await changedFiles(since);
  process.stdout.write(`${files.length} changed files\n`);
  const specs = browserTestsOf(files);
  if (specs.length > 0) process.env['E2E_SPECS'] = specs.join(',');
  return stagesOf(files);
}

/** Those of the selected browser tests that may run against any page; names the others. */
async function testsAt(url: string, selected: readonly string[]): Promise<readonly string[]> {
  process.env['E2E_BASE_URL'] = await checkComposedPage(url);
  const { anywhere, stackOnly } = browserTestsByNeed();
  const isSelected = (name: string) => selected.length === 0 || selected.includes(name);
  const skipped = stackOnly.filter(isSelected);
  if (skipped.length > 0)
    process.stdout.write(
      `not run at ${url}, because they publish, break or write something: ${skipped.join(', ')}\n`,
    );
  const specs = anywhere.filter(isSelected);
  if (specs.length === 0) throw new Error('--url: none of the selected browser tests may run there');
  return specs;
}

/** Those of the selected browser tests that run in a cluster; names the others with their reasons. */
function testsInCluster(selected: readonly string[]): readonly string[] {
  process.env['E2E_CLUSTER'] = 'true';
  const { inCluster, reasons } = browserTestsInCluster();
  const isSelected = (name: string) => selected.length === 0 || selected.includes(name);
  for (const [name, reason] of reasons)
    if (isSelected(name)) process.stdout.write(`not run in the cluster: ${name}, because it ${reason}\n`);
  const specs = inCluster.filter(isSelected);
  if (specs.length === 0) throw new Error('--cluster: none of the selected browser tests runs there');
  return specs;
}

/**
 * The stages selected with `--only`, by default all. `--spec overrides` selects browser tests by the name of their file,
 * `--remote mfe-results` by the requirements that they prove, `--grep` by their titles. With `--url` they run against that
 * page, and nothing is built; with `--cluster` against several replicas of each service. `--changed` selects what a change touches.
 */
async function selectedStages(): Promise<readonly Stage[]> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      spec: { type: 'string', multiple: true },
      remote: { type: 'string', multiple: true },
      url: { type: 'string' },
      cluster: { type: 'boolean', default: false },
      grep: { type: 'string' },
      headed: { type: 'boolean', default: false },
      changed: { type: 'boolean', default: false },
      since: { type: 'string' },
    },
  });
  if (values.changed || values.since !== undefined) return changedStages(values.since);
  if (values.grep !== undefined) process.env['E2E_GREP'] = values.grep;
  if (values.headed) process.env['E2E_HEADED'] = 'true';
  const selected = [
    ...(values.spec ?? []).flatMap((names) => names.split(',')),
    ...(values.remote ?? []).flatMap((remote) => browserTestsFor(remote)),
  ];
  if (values.cluster && values.url !== undefined) throw new Error('choose --url or --cluster');
  const specs = values.cluster
    ? testsInCluster(selected)
    : values.url === undefined
      ? selected
      : await testsAt(values.url, selected);
  if (specs.length > 0) process.env['E2E_SPECS'] = [...new Set(specs)].join(',');
  if (!values.only) return STAGES;
  const sectionNames = STAGES.flat(2).map(({ name }) => name);
  const unknown = values.only.find((name) => !sectionNames.includes(name));
  if (unknown !== undefined)
    throw new Error(`Unknown section '${unknown}'. Choose from ${sectionNames.join(', ')}.`);
  const needs = process.env['E2E_BASE_URL'] ? {} : NEEDED_BY;
  const names = new Set(values.only.flatMap((name) => [...(needs[name] ?? []), name]));
  return STAGES.map((stage) =>
    stage.map((lane) => lane.filter(({ name }) => names.has(name))).filter(({ length }) => length > 0),
  );
}

const stopping = new AbortController();
onStopRequest(() => stopping.abort());
try {
  const { failed } = await runSections(await selectedStages(), {
    signal: stopping.signal,
    write: (text) => process.stdout.write(text),
    neededBy: NEEDED_BY,
  });
  process.exitCode = failed > 0 ? 1 : 0;
} catch (error) {
  if (!stopping.signal.aborted)
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = stopping.signal.aborted ? EXIT_STOPPED : 1;
}
process.exit();
