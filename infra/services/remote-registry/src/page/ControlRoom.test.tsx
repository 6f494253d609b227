/** @jest-environment jest-fixed-jsdom */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import type { ReactNode } from 'react';
import { CANARY_STATES } from '@forecourt/releases/canaryRule';
import type { RoomBoard, RoomCompatibility, RoomRemote, ShellReport } from '../room/roomView.ts';
import { Canary } from './Canary.tsx';
import { Compatibility } from './Compatibility.tsx';
import { Overview } from './Overview.tsx';
import { ReleasePage } from './ReleasePage.tsx';
import { RemotePage } from './RemotePage.tsx';
import { originPage } from './route.tsx';

const CALLER = { name: 'ada', scopes: [{ remote: '*', actions: ['administer' as const] }] };
const REMOTE: RoomRemote = {
  name: 'mfe-x',
  pointer: { live: '1.0.0', canary: { version: '1.1.0', weight: 5 } },
  previous: '0.9.0',
  hold: undefined,
  canarySince: undefined,
  releases: [],
};
const health = (good: number, bad: number) => ({ good, bad });

const report = (changes: Partial<ShellReport> = {}): ShellReport => ({
  status: 'ready',
  startedAt: '2026-03-01T12:00:00.000Z',
  windowMinutes: 10,
  remotes: { 'mfe-x': { live: '1.0.0', canary: { version: '1.1.0', weight: 5 } } },
  refused: {},
  canaries: [],
  worse: [],
  slots: [],
  ...changes,
});
const boardOf = (...reports: ShellReport[]): RoomBoard => ({
  revision: 3,
  remotes: [REMOTE],
  changes: [],
  shells: reports.map((one, index) => ({ url: `http://shell-${index}`, report: one })),
});

async function expectAccessible(): Promise<void> {
  // Contrast needs layout, which jsdom lacks; the browser tests check it.
  const { violations } = await axe.run(document.body, {
    resultTypes: ['violations'],
    rules: { 'color-contrast': { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

/** Renders what the room shows in its `main`, and checks its accessibility. */
async function show(view: ReactNode): Promise<HTMLElement> {
  render(<main>{view}</main>);
  await expectAccessible();
  return screen.getByRole('main');
}

const RULE = { minFailures: 5, minDifference: 0.02, minEvidence: 1_200 };
type Measures = ShellReport['canaries'][number]['measures'];
const slot = (kind: 'server' | 'browser', canary: object, live: object, evidence = 1): Measures[number] =>
  ({ kind, name: 'grid', isRequired: true, canary, live, evidence, rule: RULE }) as Measures[number];
const vital = (name: string, goodMs: number, canary: object, live: object, evidence = 1) =>
  ({ ...slot('server', canary, live, evidence), kind: 'vital', name, goodMs, isRequired: false }) as const;
const withMeasures = (measures: Measures) =>
  report({ canaries: [{ remote: 'mfe-x', version: '1.1.0', measures }] });

/** A canary without failures and with a slow INP. */
const SLOW_INP = withMeasures([
  slot('server', health(500, 0), health(9_000, 3)),
  slot('browser', health(60, 2), health(9_000, 3), 5),
  vital('LCP', 2500, health(0, 0), health(50, 0)),
  vital('INP', 200, health(40, 30), health(900, 9), 1e6),
]);

describe('canary card', () => {
  it('judges each slot on servers and in browsers and each web vital apart, in the words of the rule', async () => {
    const main = await show(<Canary board={boardOf(SLOW_INP)} caller={CALLER} remote={REMOTE} />);
    const { worse, suspect, undecided, fine } = CANARY_STATES;
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      `grid (required) in browsers ${suspect.text}: ${suspect.advice}`,
      `grid (required) on servers ${fine.text}: ${fine.advice}`,
      `INP above 200 ms ${worse.text}: ${worse.advice}`,
      `LCP above 2500 ms ${undecided.text}: ${undecided.advice}`,
    ]);
    expect(main).toHaveTextContent('42.9% 30 of 70 measurements were slow; 95 % interval 31.9% to 54.5%');
    expect(main).toHaveTextContent('0% 0 of 500 renders failed; 95 % interval 0% to 0.8%');
    expect(main).toHaveTextContent('3.2% 2 of 62 views failed');
  });

  it('says that nothing is reported yet', async () => {
    const main = await show(<Canary board={boardOf(withMeasures([]))} caller={CALLER} remote={REMOTE} />);
    expect(main).toHaveTextContent('No shell has reported this canary yet.');
  });
});

/** A slot of the live release that fails in browsers, and did not in the release before. */
const BROKEN_IN_BROWSERS = report({
  slots: [
    {
      release: 'mfe-x@1.0.0',
      slot: 'grid',
      ...health(300, 0),
      browser: {
        ...health(270, 30),
        phases: { evaluate: 30, load: 2 },
        lastFailure: { at: '2026-03-01T12:05:00.000Z', code: 'evaluate', message: 'no mfe_x' },
        figures: {
          inpMs: { p75: 180.4, views: 40 },
          lcpMs: { p75: 2_100, views: 30 },
          eventsPerMinute: { p75: 3, views: 20 },
          callsPerMinute: { p75: 2, views: 20 },
          elements: { p75: 1_204, views: 20 },
          busyMsPerMinute: { p75: 90, views: 20 },
        },
      },
    },
  ],
  worse: [
    {
      remote: 'mfe-x',
      version: '1.0.0',
      previous: '0.9.0',
      slot: 'grid',
      where: 'browser',
      outcomes: { now: health(270, 30), before: health(1_000, 1) },
    },
  ],
});

it('has the states of the documentation', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/control-room.md'), 'utf8');
  const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  for (const { text, meaning, advice } of Object.values(CANARY_STATES))
    expect(rows).toContainEqual(['', text, meaning, advice, '']);
});

describe('a live release that fails in browsers', () => {
  it('is marked in the overview, with the release before it', async () => {
    await show(<Overview board={boardOf(BROKEN_IN_BROWSERS)} caller={CALLER} />);
    const row = screen.getByRole('row', { name: /^mfe-x/ });
    expect(within(row).getByText('10% of views fail in browsers')).toBeVisible();
    expect(within(row).getByText('Worse than 0.9.0: roll back?')).toBeVisible();
  });

  it('is shown by slot and phase beside the server\u2019s renders, and proposes the rollback', async () => {
    const operator = { name: 'ada', scopes: [{ remote: '*', actions: ['rollback' as const] }] };
    const main = await show(
      <RemotePage board={boardOf(BROKEN_IN_BROWSERS)} caller={operator} remote={REMOTE} />,
    );
    const alert = screen.getByRole('alert');
    expect(alert).toHaveTextContent(
      'grid fails more often in browsers since 1.0.0 is live: 30 of 300, before 1 of 1,001 in 0.9.0.',
    );
    await userEvent.click(within(alert).getByRole('button', { name: 'Roll back' }));
    expect(screen.getByRole('dialog')).toHaveTextContent('Everyone gets 0.9.0');
    expect(main).toHaveTextContent('0 of 300 renders');
    expect(main).toHaveTextContent('30 of 300 views in browsers');
    expect(main).toHaveTextContent('by phase: evaluate 30, load 2');
    expect(main).toHaveTextContent('evaluate no mfe_x');
    expect(main).toHaveTextContent(
      'LCP 2,100 ms, INP 180 ms, 3 events a minute, 2 calls a minute, 1,204 elements, 90 ms of the main thread a minute (75th percentile of 40 views)',
    );
  });
});

describe('the page whose devtools led to the room', () => {
  it.each([
    ['?page=https%3A%2F%2Fwww.example%2Fcars%3Fdevtools', 'https://www.example/cars?devtools'],
    ['?page=javascript%3Aalert(1)', undefined],
    ['?page=cars', undefined],
    ['', undefined],
  ])('is read from %j', (search, href) => {
    expect(originPage(search)?.href).toBe(href);
  });
});

it('marks development builds beside Make live', async () => {
  const release = { name: 'mfe-x', publishedAt: '2026-03-01T12:00:00.000Z', bytes: 1, files: 1 };
  const releases = [
    { ...release, version: '1.0.0-build.x1', development: true as const },
    { ...release, version: '0.9.0' },
  ];
  await show(<RemotePage board={boardOf(report())} caller={CALLER} remote={{ ...REMOTE, releases }} />);
  const items = screen.getAllByRole('listitem').filter((item) => item.textContent.includes('Make live'));
  expect(items.map(({ textContent }) => /Development build/.test(textContent))).toEqual([true, false]);
});

describe('the share of a canary', () => {
  it.each([
    [['canary' as const], '50', 'At most 50: more needs the permission to promote.'],
    [['canary' as const, 'promote' as const], '100', undefined],
  ])('may be as large as the permissions %j allow', async (actions, max, hint) => {
    const caller = { name: 'ada', scopes: [{ remote: 'mfe-x', actions }] };
    await show(<Canary board={boardOf(report())} caller={caller} remote={REMOTE} />);
    await userEvent.click(screen.getByRole('button', { name: 'Change share' }));
    const dialog = screen.getByRole('dialog');
    expect(within(dialog).getByRole('spinbutton')).toHaveAttribute('max', max);
    if (hint === undefined) expect(within(dialog).queryByText(/^At most/)).not.toBeInTheDocument();
    else expect(within(dialog).getByText(hint)).toBeVisible();
  });
});

describe('overview', () => {
  it('marks a remote whose canary is slow, though it never fails', async () => {
    await show(<Overview board={boardOf(SLOW_INP)} caller={CALLER} />);
    const row = screen.getByRole('row', { name: /^mfe-x/ });
    expect(within(row).getByText('Canary: INP above 200 ms worse than the live release')).toBeVisible();
    expect(within(row).queryByText(/Canary: grid/)).not.toBeInTheDocument();
  });
});

describe('compatibility matrix', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const REFUSAL = {
    rule: 'CONTRACT_VERSION',
    expected: '2.1.0',
    found: '1.9.0',
    remedy: 'build again',
  } as const;
  const MATRIX: RoomCompatibility = {
    hosts: [
      { contract: '2.1.0', urls: ['http://a', 'http://b'] },
      { contract: '1.9.0', urls: ['http://c'] },
    ],
    problems: [{ url: 'http://d', problem: 'UNREACHABLE: http://d does not respond' }],
    releases: [
      { name: 'mfe-x', version: '3.0.0', role: 'live', contract: '1.8.0', refusals: [[], []] },
      { name: 'mfe-x', version: '2.0.0', role: 'previous', contract: '1.9.0', refusals: [[REFUSAL], []] },
    ],
  };
  const respondWith = (status: number, body: object) =>
    jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async () => new Response(JSON.stringify(body), { status }));

  it('says for each release and contract whether it fits, and why not', async () => {
    respondWith(200, MATRIX);
    render(
      <main>
        <Compatibility revision={1} />
      </main>,
    );
    const table = await screen.findByRole('table', { name: 'Compatibility' });
    await expectAccessible();
    const cells = within(table)
      .getAllByRole('row')
      .map((row) => [...row.children].map(({ textContent }) => textContent));
    expect(cells[0]).toEqual([
      'Release',
      'Role',
      'Built for',
      'Contract 2.1.0 (2 shells)',
      'Contract 1.9.0 (1 shell)',
    ]);
    expect(cells[1]).toEqual(['mfe-x@3.0.0', 'Live', '1.8.0', 'Fits', 'Fits']);
    expect(cells[2]?.slice(0, 3)).toEqual(['mfe-x@2.0.0', 'Previous, for a rollback', '1.9.0']);
    const reason = screen.getByText('build again');
    expect(reason).not.toBeVisible();
    await userEvent.click(screen.getByText(/Refused/).closest('summary') as HTMLElement);
    expect(reason).toBeVisible();
    expect(screen.getByText(/http:\/\/d does not respond/)).toBeVisible();
  });

  it('is read again when a pointer moves, and says when it cannot be read', async () => {
    const fetched = respondWith(200, MATRIX);
    const { rerender } = render(<Compatibility revision={1} />);
    await screen.findByRole('link', { name: 'mfe-x@3.0.0' });
    fetched.mockImplementation(async () =>
      Response.json({ error: { code: 'UNAUTHORIZED', message: 'sign in first' } }, { status: 401 }),
    );
    rerender(<Compatibility revision={1} />);
    expect(fetched).toHaveBeenCalledTimes(1);
    rerender(<Compatibility revision={2} />);
    expect(await screen.findByRole('alert')).toHaveTextContent('sign in first');
  });
});

describe('the gate of a release', () => {
  it('shows a picture of each slot that a shell has rendered', async () => {
    const manifest = {
      name: 'mfe-x',
      version: '1.0.0',
      contracts: { '@forecourt/slots': '1.0.0' },
      shared: {},
      slots: {},
      files: {},
    };
    const render = { context: 'ordinary', isGood: true, ms: 3 };
    const renders = [
      { ...render, slot: 'panel', html: true },
      { ...render, slot: 'side' },
    ];
    const result = { release: 'mfe-x@1.0.0', isAccepted: true, refusals: [], renders };
    jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation((path) =>
        Promise.resolve(
          Response.json(
            (path as string).endsWith('/gate')
              ? { gateResults: [{ url: 'http://shell-0', result }] }
              : { manifest, contract: 'slots 1.0.0', publishedAt: '2026-03-01T12:00:00.000Z', brotli: {} },
          ),
        ),
      );
    const board = boardOf(report());
    await show(<ReleasePage board={board} caller={CALLER} remote={REMOTE} version="1.0.0" />);
    await userEvent.click(await screen.findByRole('button', { name: 'Try it in every shell' }));
    const pictures = await screen.findAllByTitle(/^Picture of /);
    expect(
      pictures.map((frame) => [frame.title, frame.getAttribute('src'), frame.getAttribute('sandbox')]),
    ).toEqual([['Picture of panel', '/room/api/releases/mfe-x/1.0.0/pictures/panel', 'allow-same-origin']]);
  });
});
