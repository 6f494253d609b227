// not in the cluster: starts its own services, which get releases of other toolchains
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type ForeignProject, ForeignProjects, hasPackageRegistry } from '@forecourt/harness/foreignProjects';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { deploy, publish, readManifest, tryAt, variantOf } from '@forecourt/harness/releases';
import { getPage, slotHtml } from '@forecourt/harness/serverHtml';
import { browser } from '@wdio/globals';
import { after, afterEach, before, describe, it } from 'mocha';

const PAGE = '/cars-for-sale/all/ford';
/** Has reference tabs. */
const MODEL_PAGE = '/cars-for-sale/all/2020/toyota/camry';
const TOOLCHAINS = { rspack: 'Rspack', webpack: 'webpack', vite: 'Vite' } as const;
type Toolchain = keyof typeof TOOLCHAINS;
const NAMES = Object.keys(TOOLCHAINS) as Toolchain[];

const hasRegistry = hasPackageRegistry();
if (!hasRegistry) it.skip('skipped: no package registry responds, so other toolchains cannot be installed');

(hasRegistry ? describe : describe.skip)('remotes and hosts of other toolchains', () => {
  const projects = new ForeignProjects();
  const installed = new Map<Toolchain, ForeignProject>();
  let stack: Awaited<ReturnType<typeof startOwnStack>>;

  const projectOf = (name: Toolchain): ForeignProject => {
    const project = installed.get(name);
    assert.ok(project, `${name} is installed`);
    return project;
  };
  const releaseOf = (name: Toolchain): string => join(projectOf(name).folder, 'release');

  before(async () => {
    [stack] = await Promise.all([startOwnStack(), projects.prepare()]);
    // Installing waits for the network and the disk most of the time.
    await Promise.all(NAMES.map(async (name) => installed.set(name, await projects.install(name))));
    for (const name of NAMES) {
      await projectOf(name).build();
      const { status, stderr } = projectOf(name).pack();
      assert.equal(status, 0, stderr);
    }
  });
  after(async () => {
    await stack?.remove();
    projects.remove();
  });

  for (const [name, title] of Object.entries(TOOLCHAINS) as [Toolchain, string][])
    it(`renders a remote built by ${title} on the server and hydrates it`, async () => {
      await deploy(stack.urls, releaseOf(name));
      const { html } = await getPage(stack.urls.shell + PAGE);
      assert.match(slotHtml(html, 'filters'), new RegExp(`aria-label="Filters by ${title}".*chosen`, 's'));
      await browser.url(stack.urls.shell + PAGE);
      const button = browser.$(`section[aria-label="Filters by ${title}"] button`);
      await browser.waitUntil(() =>
        browser.execute(() => performance.getEntriesByName('slot:filters:hydrated').length > 0),
      );
      await button.click();
      await browser.waitUntil(async () => (await button.getText()) === 'Clicked 1 times');
      assert.equal(await button.getCSSProperty('display').then(({ value }) => value), 'inline-block');
      const border = await browser
        .$(`section[aria-label="Filters by ${title}"]`)
        .getCSSProperty('border-top-width');
      assert.equal(border.value, '1px');
    });

  const REFUSED: readonly (readonly [
    what: string,
    project: Toolchain,
    code: string,
    spoil: (project: ForeignProject) => void,
  ])[] = [
    [
      'a React of its own',
      'webpack',
      'SECOND_COPY',
      ({ change }) => change('webpack.config.mjs', ', import: false', ''),
    ],
    [
      'another share scope',
      'rspack',
      'SHARE_SCOPE',
      ({ change }) => change('rspack.config.mjs', 'import: false', "import: false, shareScope: 'team'"),
    ],
    [
      'no build for Node',
      'vite',
      'NODE_BUILD_MISSING',
      ({ folder }) => rmSync(join(folder, 'dist/node'), { recursive: true }),
    ],
    [
      'classes of no owner',
      'vite',
      'STYLE_NOT_OWN',
      ({ change }) => change('vite.config.mjs', ']VHJ', ']abc'),
    ],
    [
      'another name',
      'vite',
      'CONTAINER_NAME',
      ({ change }) => change('vite.config.mjs', "'mfe_filters'", "'filters'"),
    ],
    [
      'no manifest',
      'webpack',
      'FEDERATION_MANIFEST',
      ({ folder }) => rmSync(join(folder, 'dist/web/mf-manifest.json')),
    ],
    [
      'a slot that is none',
      'rspack',
      'MODULE_LOAD',
      ({ change }) =>
        change('src/slots/filters.tsx', 'export default defineSlot', 'export const slot = defineSlot'),
    ],
  ];
  for (const [what, name, code, spoil] of REFUSED)
    it(`is not packed with ${what}: ${code}`, async () => {
      const project = projects.copy(projectOf(name), `${name}-${code}`);
      spoil(project);
      // What is not in the configuration is missing after the build.
      if (!['NODE_BUILD_MISSING', 'FEDERATION_MANIFEST'].includes(code)) await project.build();
      const { status, stderr } = project.pack();
      assert.equal(status, 1);
      assert.match(stderr, new RegExp(`^${code}: [^\n]+\n$`));
    });

  const GATED: readonly (readonly [what: string, name: Toolchain, rule: string, changes: object])[] = [
    [
      'another major of the contract',
      'webpack',
      'CONTRACT_VERSION',
      { contracts: { '@forecourt/slots': '9.0.0' } },
    ],
    ['an ES module as its entry', 'vite', 'BROWSER_ENTRY', { entry: { web: 'web/remoteEntry.js' } }],
  ];
  for (const [at, [what, name, rule, changes]] of GATED.entries())
    it(`is refused at the gate with ${what}: ${rule}`, async () => {
      const version = `7.9.${at}`;
      const { entry } = readManifest(releaseOf(name));
      const manifest =
        'entry' in changes ? { entry: { node: entry.node, ...(changes.entry as { web: string }) } } : changes;
      const variant = variantOf(releaseOf(name), { version, ...manifest });
      await publish(stack.urls['remote-registry'], variant.directory).finally(variant.remove);
      const { refusals } = await tryAt(stack.urls.shell, 'mfe-filters', version);
      assert.deepEqual(
        refusals.map((refusal) => refusal.rule),
        [rule],
      );
    });

  /** Hosts, each with the page that it builds or brings. */
  const HOSTS = { webpack: 'index.html', vite: 'dist/index.html' } as const;
  const MEDIA_TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

  describe('a plain host', () => {
    let server: Server;
    afterEach(() => server?.close());

    /** What a host needs of the page of a model: a slot of a published release, with its state and data. */
    async function readPage(): Promise<object> {
      const { html } = await getPage(stack.urls.shell + MODEL_PAGE);
      const boot = JSON.parse(
        /<script type="application\/json" id="fc-boot">([^]*?)<\/script>/.exec(html)?.[1] ?? '',
      ) as {
        state: object;
        content: string | { data: Record<string, unknown> };
        remotes: { name: string; version: string }[];
      };
      const content =
        typeof boot.content === 'string'
          ? ((await (await fetch(stack.urls.shell + boot.content)).json()) as {
              data: Record<string, unknown>;
            })
          : boot.content;
      const { data, ...state } = content;
      const version = boot.remotes.find(({ name }) => name === 'mfe-model-reference')?.version;
      return {
        manifest: `${stack.urls['remote-registry']}/remotes/mfe-model-reference/${version}/web/mf-manifest.json`,
        remote: 'mfe_model_reference',
        slot: 'model-reference',
        state: { ...boot.state, ...state },
        data: data['model-reference'],
      };
    }

    /** Serves a host with the data of the page. */
    async function serve(folder: string, document: string, page: object): Promise<string> {
      const html = (await readFile(join(folder, document), 'utf8')).replace(
        '<script type="application/json" id="page">',
        (start) => start + JSON.stringify(page).replaceAll('<', '\\u003c'),
      );
      server = createServer((request, response) => {
        const path = request.url ?? '';
        if (path === '/') return response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
        void readFile(join(folder, 'dist', path)).then(
          (bytes) =>
            response.setHeader('content-type', MEDIA_TYPES[extname(path)] ?? 'text/plain').end(bytes),
          () => response.writeHead(404).end(),
        );
        return response;
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }

    for (const [name, document] of Object.entries(HOSTS) as [keyof typeof HOSTS, string][])
      it(`built by ${TOOLCHAINS[name]} mounts a slot of a published release by its manifest, with its own React shared`, async () => {
        const project = await projects.install(`hosts/${name}`);
        await project.build();
        await browser.url(await serve(project.folder, document, await readPage()));
        await browser.$('body[data-ready]').waitForExist();
        const tabs = await browser.$$('#slot [role=tab]').map((tab) => tab.getText());
        assert.ok(tabs.length > 1, `the tabs are ${tabs.join(', ')}`);
        const second = browser.$('#slot [role=tab]:nth-of-type(2)');
        await second.click();
        assert.equal(await second.getAttribute('aria-selected'), 'true');
        // Styles of the release are linked from its manifest.
        const styles: (string | null)[] = await browser
          .$$('link[rel=stylesheet]')
          .map((link) => link.getAttribute('href'));
        assert.ok(
          styles.some((href) => href?.includes('/remotes/mfe-model-reference/')),
          styles.join(),
        );
      });
  });
});
