import { parseArgs } from 'node:util';
import { onStopRequest } from '../stopRequest.ts';
import { NEEDED_BY, type Section, SECTIONS } from '../testSections.ts';

const stopping = new AbortController();
const EXIT_STOPPED = 130;

const say = (line: string) => process.stdout.write(`${line}\n`);
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** The sections that the command line asks for; all without `--only`. */
function chosenSections(): readonly Section[] {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
  if (!values.only) return SECTIONS;
  const unknown = values.only.find((name) => !SECTIONS.some((section) => section.name === name));
  if (unknown !== undefined)
    throw new Error(
      `There is no section '${unknown}': choose of ${SECTIONS.map(({ name }) => name).join(', ')}.`,
    );
  const names = new Set(values.only.flatMap((name) => [...(NEEDED_BY[name] ?? []), name]));
  return SECTIONS.filter(({ name }) => names.has(name));
}

async function run(): Promise<number> {
  const started = performance.now();
  const summary: string[] = [];
  const broken = new Set<string>();
  let passed = 0;
  let failed = 0;
  for (const section of chosenSections()) {
    const { name } = section;
    say(`\n━━ ${name}`);
    const missing = (NEEDED_BY[name] ?? []).find((needed) => broken.has(needed));
    const sectionStarted = performance.now();
    let result = { passed: 0, failed: 1 };
    if (missing !== undefined) say(`not run, because ${missing} failed`);
    else {
      try {
        result = await section.run(stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return EXIT_STOPPED;
        say(error instanceof Error ? error.message : String(error));
      }
    }
    passed += result.passed;
    failed += result.failed;
    if (result.failed > 0) broken.add(name);
    const counts = result.passed > 0 ? `, ${result.passed} passed, ${result.failed} failed` : '';
    const line = `${result.failed > 0 ? '✖' : '✔'} ${name} (${seconds(sectionStarted)}${counts})`;
    say(line);
    summary.push(line);
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
