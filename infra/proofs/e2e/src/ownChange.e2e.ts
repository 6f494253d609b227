// not in the cluster: starts its own services, whose releases it replaces
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { browser } from '@wdio/globals';
import { after, before, describe, it } from 'mocha';
import { F150_NEAR_CHICAGO, getPage, slotHtml } from '@forecourt/harness/serverHtml';
import { startOwnStack } from '@forecourt/harness/ownStack';

const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..');
const PAGE = readFileSync(join(REPOSITORY, 'infra/docs/control-room.md'), 'utf8');
const REMOTE = 'mfe-showcase';
const VERSION = '1.1.0';
const LIMIT_MS = 5 * 60_000;

/** The commands of the page that publish a change, as a reader would copy them. */
const COMMANDS = PAGE.split('\n')
  .filter((line) => /^ {4}(?:npm run build|npx forecourt)/.test(line))
  .map((line) => line.trim());

const execute = promisify(execFile);

describe('a change by someone who has just cloned the repository', () => {
  let stack: Awaited<ReturnType<typeof startOwnStack>>;
  let clone = '';
  before(async () => {
    stack = await startOwnStack();
  });
  after(async () => {
    await stack?.remove();
    if (clone !== '') rmSync(clone, { recursive: true, force: true });
  });

  const showcase = async () =>
    slotHtml((await getPage(stack.urls.shell + F150_NEAR_CHICAGO)).html, 'showcase');

  it('becomes a canary of 10 percent and is promoted in the control room, as its page says', async () => {
    const started = Date.now();
    assert.deepEqual(
      COMMANDS.map((command) => command.split(' ').slice(0, 3).join(' ')),
      ['npm run build', 'npx forecourt gate', 'npx forecourt publish'],
    );
    assert.match(await showcase(), /Sponsored</);

    clone = mkdtempSync(join(tmpdir(), 'forecourt-clone-'));
    await execute('git', ['clone', '--quiet', '--depth', '1', `file://${REPOSITORY}`, clone]);
    // What `npm start` installs in a clone.
    symlinkSync(join(REPOSITORY, 'node_modules'), join(clone, 'node_modules'));
    const file = join(clone, REMOTE, 'src/SponsorLine.tsx');
    const source = readFileSync(file, 'utf8');
    assert.match(source, /Sponsored<\/span>/);
    writeFileSync(file, source.replace('Sponsored</span>', 'Sponsored dealer</span>'));
    const env = { ...process.env, REGISTRY_URL: stack.urls['remote-registry'] };
    for (const command of COMMANDS) await execute('sh', ['-c', command], { cwd: clone, env });

    await browser.url(`${stack.urls['remote-registry']}/room`);
    await browser.$('button=Continue on this machine').click();
    await browser.$(`a=${REMOTE}`).click();
    const release = browser.$(`//li[.//a[text()="${VERSION}"]]`);
    const { stdout } = await execute('git', ['rev-parse', 'HEAD'], { cwd: clone });
    assert.equal(await release.$('code').getAttribute('title'), `${stdout.trim()}-dirty`);
    await release.$('button=Start canary').click();
    await browser.$('dialog[open] input[type="number"]').setValue('10');
    await browser.$('dialog[open]').$('button=Start canary').click();
    await browser.$('h2*=Canary').waitForDisplayed();
    assert.match(await browser.$('section*=Canary').getText(), /10% of visitors/);
    // Each request is a new visitor: one in ten gets it.
    await browser.waitUntil(async () => /Sponsored dealer</.test(await showcase()), {
      timeout: 30_000,
      interval: 20,
    });

    await browser.$('button=Promote').click();
    await browser.$('dialog[open]').$('button=Promote').click();
    await browser.$(`//li[.//a[text()="${VERSION}"] and .//span[text()="Live"]]`).waitForDisplayed();
    await browser.pause(2000);
    for (let visitor = 0; visitor < 5; visitor += 1) assert.match(await showcase(), /Sponsored dealer</);
    assert.ok(Date.now() - started < LIMIT_MS);
  });
});
