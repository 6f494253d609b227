import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inFreshBrowser } from '@forecourt/harness/browser';
import { median } from '@forecourt/harness/statistics';
import { BROWSER_USER_AGENT } from '@forecourt/harness/serverHtml';
import { copyRepository, freePort, remoteNames } from '@forecourt/local';
import { PAGE } from './pages.ts';
import { type Finding, type Proof, reported, required, until } from './proof.ts';

const HEADER = 'mfe-results/src/results/ResultsHeader.tsx';
const HEADER_END = '</header>';
const PROOF = '[data-proof]';
/** A component with state, for the label of the sort. */
const counter = (text: string): string => `
function ProofCounter() {
  const [count, setCount] = useProofState(0);
  return <button type="button" data-proof onClick={() => setCount(count + 1)}>{\`${text} \${count}\`}</button>;
}
`;
const CONTRACTS = { path: 'shared-contracts/search/src/criteria/filterSections.ts', text: 'Drive Type' };
const SHELL = { path: 'shell/src/marketplace/frame/frame.ts', text: 'Sponsored listings are labeled.' };

/** ms until an edit of a remote, and of what needs a restart of the shell, is on the page. */
const REMOTE_MS = 1500;
const RESTART_MS = 120_000;
/** The first builds have no cache, which takes minutes on a machine that is busy with other work. */
const START_MS = 480_000;
/** Measured edits of the remote, after the first. */
const EDITS = 5;
/** ms between the end of one edit and the next: the workshop is built after the page. */
const PAUSE_MS = 3000;
/** The edited component after the last edit: its state, one click, survives all of them. */
const LAST_LABEL = `proof-beta-${EDITS} 1`;

/** `npm run dev -- mfe-results shell` in a copy of the repository. */
class DevelopmentCopy {
  readonly root = mkdtempSync(join(tmpdir(), 'forecourt-development-'));
  url = '';
  output = '';
  #process: ChildProcess | undefined;

  async start(): Promise<void> {
    copyRepository(this.root, { withBuilds: remoteNames() });
    const ports: number[] = [];
    for (let count = 0; count < 5; count += 1) ports.push(await freePort(ports));
    const keys = ['PORT', 'MARKETPLACE_API_PORT', 'REGISTRY_PORT', 'IDENTITY_PORT', 'WORKSHOP_PORT'];
    this.#process = spawn(
      process.execPath,
      [join(this.root, 'infra/tooling/local/run.mjs'), 'dev', 'mfe-results', 'shell'],
      {
        cwd: this.root,
        env: {
          ...process.env,
          ...Object.fromEntries(keys.map((key, index) => [key, String(ports[index])])),
          NODE_ENV: '',
          DATA_DIR: join(this.root, '.data'),
          INVENTORY_SIZE: '4000',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.url = `http://localhost:${ports[0]}`;
    await until(
      'npm run dev has started',
      () => /is running at/.test(this.output) && /Workshop of/.test(this.output),
      { limitMs: START_MS, everyMs: 100 },
    );
  }

  edit(path: string, change: (source: string) => string): void {
    const file = join(this.root, path);
    const source = readFileSync(file, 'utf8');
    const changed = change(source);
    if (changed === source) throw new Error(`nothing to edit in ${path}`);
    writeFileSync(file, changed);
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (child && child.exitCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

type Page = Parameters<Parameters<typeof inFreshBrowser>[0]>[0];

/** Saves an edit and resolves with the ms until the page shows `text`, also across a reload. */
async function timeToShow(page: Page, text: string, limitMs: number, edit: () => void): Promise<number> {
  const started = performance.now();
  edit();
  const shows = () =>
    page
      .evaluate((wanted: string) => document.body.textContent.includes(wanted), text)
      // The page is being reloaded.
      .catch(() => false);
  await until(`the page shows '${text}'`, shows, { limitMs, everyMs: 10 });
  return Math.round(performance.now() - started);
}

/** Waits until the page is complete and has been so for a while: scripts that load while the shell restarts are lost. */
async function settle(page: Page): Promise<void> {
  await wait(PAUSE_MS);
  const isHydrated = () =>
    page
      .evaluate(() => performance.getEntriesByName('slot:results:hydrated').length > 0)
      // The page is being reloaded.
      .catch(() => false);
  await until('the page is complete', isHydrated, { limitMs: RESTART_MS, everyMs: 100 });
  await wait(PAUSE_MS);
}

const within = (measure: string, ms: number, limitMs: number): Finding =>
  required(measure, `${ms} ms`, `< ${limitMs} ms`, ms < limitMs);

const yes = (measure: string, isTrue: boolean): Finding =>
  required(measure, isTrue ? 'yes' : 'no', 'yes', isTrue);

async function editRemote(page: Page, copy: DevelopmentCopy): Promise<Finding[]> {
  await page.evaluate(() => Object.assign(window, { isFirstDocument: true }));
  const first = await timeToShow(page, 'proof-alpha 0', RESTART_MS, () =>
    copy.edit(
      HEADER,
      (source) =>
        `import { useState as useProofState } from 'react';\n${source.replace(HEADER_END, `<ProofCounter />${HEADER_END}`)}${counter('proof-alpha')}`,
    ),
  );
  await page.click(PROOF);
  // The first build after the start also reads caches.
  const times: number[] = [];
  let text = 'proof-alpha';
  for (let edit = 1; edit <= EDITS; edit += 1) {
    await wait(PAUSE_MS);
    const [before, next] = [text, `proof-beta-${edit}`];
    times.push(
      await timeToShow(page, next, RESTART_MS, () =>
        copy.edit(HEADER, (source) => source.replace(`\`${before} $`, `\`${next} $`)),
      ),
    );
    text = next;
  }
  const label = await page.$eval(PROOF, ({ textContent }) => textContent);
  const isSame = await page.evaluate(() => 'isFirstDocument' in window);
  return [
    reported('First edit of a remote: saved → visible', `${first} ms`),
    within(`Median of the next ${EDITS} edits: saved → visible`, median(times), REMOTE_MS),
    reported('Slowest of them', `${Math.max(...times)} ms`),
    required('State of the edited component', String(label), LAST_LABEL, label === LAST_LABEL),
    yes('The page was not reloaded', isSame),
  ];
}

const FAULT = "  if (ResultsHeader.length === 0) throw new Error('broken by the proof');\n";

/** A view that throws: the shell refuses the build, the terminal says why, and the page stays. */
async function breakRemote(page: Page, copy: DevelopmentCopy): Promise<Finding[]> {
  const seen = copy.output.length;
  copy.edit(HEADER, (source) => source.replace(/\n(export function ResultsHeader[^]*?\{\n)/, `\n$1${FAULT}`));
  const news = () => copy.output.slice(seen);
  await until('the terminal reports the refusal', () => /broken by the proof/.test(news()), {
    limitMs: RESTART_MS,
  });
  const label = await page.$eval(PROOF, ({ textContent }) => textContent);
  const line = /mfe-results: the shell refuses this build[^\n]*/.exec(news())?.[0] ?? '';
  return [
    yes('A build that throws is reported as refused, in words', line !== '' && !/[{}]/.test(line)),
    yes('The page keeps the build before', label === LAST_LABEL),
  ];
}

export const development: Proof = {
  name: 'development',
  title: 'Edits show in open pages while `npm run dev` runs',
  limitMs: 16 * 60_000,
  method:
    'A copy of the repository runs `npm run dev -- mfe-results shell`, and a tab of headless Chromium shows results. A remote, the contracts and the shell are edited in turn. The remote is edited several times, three seconds apart, and replaced in place with the state of its components; contracts and shell restart the shell and reload the page.',
  async run({ onEnd, say }) {
    const copy = new DevelopmentCopy();
    onEnd(() => copy.stop());
    const printed = (error: unknown) => {
      throw new Error(`${String(error)}; npm run dev printed: ${copy.output.slice(-1500)}`);
    };
    await copy.start().catch(printed);
    say('editing');
    return inFreshBrowser(async (page) => {
      await page.setUserAgent({ userAgent: BROWSER_USER_AGENT });
      await page.goto(copy.url + PAGE, { waitUntil: 'load' });
      await page.waitForFunction(() => performance.getEntriesByName('slot:results:hydrated').length > 0);
      const remote = await editRemote(page, copy);
      const broken = await breakRemote(page, copy);
      copy.edit(HEADER, (source) => source.replace(FAULT, ''));
      await settle(page);
      const editText = async (what: string, { path, text }: typeof CONTRACTS) => {
        const changed = `${text} (edited)`;
        const ms = await timeToShow(page, changed, RESTART_MS, () =>
          copy.edit(path, (source) => source.replace(text, changed)),
        );
        return within(`Edit of ${what}: saved → visible`, ms, RESTART_MS);
      };
      const contracts = await editText('the contracts', CONTRACTS);
      await settle(page);
      const shell = await editText('the shell', SHELL);
      return [...remote, ...broken, contracts, shell];
    }).catch(printed);
  },
};
