import { parseArgs } from 'node:util';
import { onStopRequest } from '../stopRequest.ts';
import { type Lane, NEEDED_BY, type Section, type Stage, STAGES } from '../testSections.ts';

const stopping = new AbortController();
const EXIT_STOPPED = 130;

const say = (line: string) => process.stdout.write(`${line}\n`);
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** The stages that the command line asks for; all without `--only`. */
function chosenStages(): readonly Stage[] {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
  if (!values.only) return STAGES;
  const known = STAGES.flat(2).map(({ name }) => name);
  const unknown = values.only.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`There is no section '${unknown}': choose of ${known.join(', ')}.`);
  const names = new Set(values.only.flatMap((name) => [...(NEEDED_BY[name] ?? []), name]));
  return STAGES.map((stage) =>
    stage.map((lane) => lane.filter(({ name }) => names.has(name))).filter(({ length }) => length > 0),
  );
}

const summary: string[] = [];
const broken = new Set<string>();
let passed = 0;
let failed = 0;

/** Runs one section; what it says comes at once, or in one piece at its end when others speak meanwhile. */
async function runSection({ name, run }: Section, isAlone: boolean): Promise<void> {
  const said: string[] = [`\n━━ ${name}\n`];
  if (isAlone) process.stdout.write(said.splice(0).join(''));
  const print = isAlone ? undefined : (text: string) => void said.push(text);
  const missing = (NEEDED_BY[name] ?? []).find((needed) => broken.has(needed));
  const started = performance.now();
  let result = { passed: 0, failed: 1 };
  if (missing !== undefined) said.push(`not run, because ${missing} failed\n`);
  else {
    try {
      result = await run({ signal: stopping.signal, print });
    } catch (error) {
      if (stopping.signal.aborted) throw error;
      said.push(`${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
  passed += result.passed;
  failed += result.failed;
  if (result.failed > 0) broken.add(name);
  const counts = result.passed > 0 ? `, ${result.passed} passed, ${result.failed} failed` : '';
  const line = `${result.failed > 0 ? '✖' : '✔'} ${name} (${seconds(started)}${counts})`;
  process.stdout.write(said.join(''));
  say(line);
  summary.push(line);
}

async function runLane(lane: Lane, isAlone: boolean): Promise<void> {
  for (const section of lane) await runSection(section, isAlone);
}

async function run(): Promise<number> {
  const started = performance.now();
  try {
    for (const stage of chosenStages())
      await Promise.all(stage.map((lane) => runLane(lane, stage.length === 1)));
  } catch (error) {
    if (stopping.signal.aborted) return EXIT_STOPPED;
    throw error;
  }
  say(`\n━━ summary (${seconds(started)})`);
  for (const line of summary) say(line);
  say(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

onStopRequest(() => stopping.abort());
try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
process.exit();
