import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DEPLOY, readCompose, REPOSITORY } from './manifests.ts';
import {
  exportedSeries,
  JOBS,
  MONITORING,
  monitoringFiles,
  problemsOf,
  readAlertCases,
  readConfigMapFiles,
  readJobs,
  readPanels,
  readQuery,
  readRules,
  type Series,
} from './monitoring.ts';

const { records, alerts } = readRules();
const exported = exportedSeries();
/** With what the recording rules add. */
const series: ReadonlyMap<string, Series> = new Map([
  ...exported,
  ...records.map(({ record, expr }): [string, Series] => [
    record,
    { labels: new Set(readQuery(expr).groups), allows: () => false },
  ]),
]);
const dashboards = monitoringFiles('dashboards/*.json');
const targets = dashboards.flatMap((path) => readPanels(path).flatMap((panel) => panel.targets));

/** Labels that are left in the result of a query. */
const resultLabels = (expression: string): string[] => {
  const { groups, metrics } = readQuery(expression);
  return [
    ...groups,
    ...metrics.filter((name) => !exported.has(name)).flatMap((name) => [...series.get(name)!.labels]),
  ];
};
const labelsIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, label]) => label as string);

describe('a query', () => {
  it.each([
    ['sum(rate(forecourt_page_total[5m]))', 'no service exports forecourt_page_total'],
    ['sum(rate(forecourt_request_seconds[5m]))', 'no service exports forecourt_request_seconds'],
    ['sum by (page) (forecourt_breaker_open)', 'forecourt_breaker_open: no label page'],
    ['max(forecourt_breaker_open{name="x"})', 'forecourt_breaker_open: no label name'],
    ['sum(registry_pointer_waits{call="a"})', 'registry_pointer_waits: no label call'],
    ['forecourt_shed_total{what="pagess"}', 'forecourt_shed_total: no value pagess'],
    ['sum(up{job="shells"})', 'up: no value shells'],
    ['vector(1)', 'no metric in vector(1)'],
  ])('is refused: %s', (expression, problem) => {
    expect(problemsOf(expression, exported)).toContain(problem);
  });

  it('names its metrics, without functions, labels, ranges and keywords', () => {
    expect(
      readQuery('a:b:rate5m > 1 and max by (le) (x_total{y="z"} offset 1h) or sum(rate(w[5m])) / 1e3')
        .metrics,
    ).toEqual(['a:b:rate5m', 'x_total', 'w']);
  });
});

describe('the rules', () => {
  it.each(records)('$record uses metrics, labels and values that the services export', ({ expr }) => {
    expect(problemsOf(expr, series)).toEqual([]);
  });

  it.each(alerts)('$alert uses metrics, labels and values that the services export', (rule) => {
    expect(problemsOf(rule.expr, series)).toEqual([]);
    for (const label of labelsIn(rule.annotations.summary, /\$labels\.(\w+)/g))
      expect(resultLabels(rule.expr)).toContain(label);
  });

  it('has a case in which each alert fires, and one in which it does not', () => {
    const cases = readAlertCases();
    const names = (isFiring: boolean) =>
      new Set(cases.filter((one) => one.exp_alerts.length > 0 === isFiring).map((one) => one.alertname));
    const all = new Set(alerts.map(({ alert }) => alert));
    expect(names(true)).toEqual(all);
    expect(names(false)).toEqual(all);
  });

  it('covers the services that Prometheus scrapes beside compose.yaml and in a cluster', () => {
    expect(readJobs().sort()).toEqual(JOBS.toSorted());
    const cluster = readFileSync(join(MONITORING, 'prometheus.kubernetes.yaml'), 'utf8');
    expect(cluster).toContain(`regex: (${JOBS.join('|')});http`);
  });
});

describe('the runbook', () => {
  const sections = readFileSync(join(REPOSITORY, 'infra/docs/runbook.md'), 'utf8')
    .split(/^### /m)
    .slice(1)
    .map((text) => [text.split('\n', 1)[0]!, text] as const);

  it('has one section per alert, in the order of the rules', () => {
    expect(sections.map(([name]) => name)).toEqual(alerts.map(({ alert }) => alert));
  });

  it.each(alerts)('is linked from $alert to its section', ({ alert, annotations }) => {
    expect(annotations.runbook).toBe(`infra/docs/runbook.md#${alert.toLowerCase()}`);
  });

  it.each(sections)('says what to look at, what to do and what to check after: %s', (_, text) => {
    expect(labelsIn(text, /^- \*\*(.+?)\.\*\* \S/gm)).toEqual([
      'Meaning',
      'First look',
      'What to do',
      'Check after',
    ]);
  });
});

describe('the dashboards', () => {
  it('are pages, slots, releases, upstream and registry', () => {
    expect(dashboards).toEqual(
      ['page', 'registry', 'release', 'slot', 'upstream'].map((name) => `dashboards/${name}.json`),
    );
  });

  it.each(targets)('query what the services export: $expr', ({ expr, legendFormat }) => {
    expect(problemsOf(expr, series)).toEqual([]);
    for (const label of labelsIn(legendFormat, /\{\{(\w+)\}\}/g)) expect(resultLabels(expr)).toContain(label);
  });

  it('are deployed with the rules, all of them', () => {
    expect(readConfigMapFiles().sort()).toEqual([...monitoringFiles('*.rules.yaml'), ...dashboards].sort());
  });
});

describe('the compose file of monitoring', () => {
  const { services } = readCompose('compose.monitoring.yaml');

  it('mounts existing files and listens on this host only', () => {
    for (const { volumes, ports, security_opt } of Object.values(services)) {
      for (const [source = ''] of volumes.map((mount) => mount.split(':')))
        if (source.startsWith('./')) expect(existsSync(join(DEPLOY, source)) ? source : '').toBe(source);
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
      expect(security_opt).toContain('no-new-privileges:true');
    }
  });

  it('gives Prometheus every file of rules', () => {
    for (const path of monitoringFiles('*.rules.yaml'))
      expect(services['prometheus']?.volumes).toContain(
        `./monitoring/${path}:/etc/prometheus/rules/${path}:ro`,
      );
  });
});

const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;
const promtool = (...args: readonly string[]) =>
  execFileSync('promtool', args, { cwd: MONITORING, encoding: 'utf8', stdio: 'pipe' });
if (!hasPromtool) it.skip('skipped: no promtool', () => undefined);

(hasPromtool ? describe : describe.skip)('promtool', () => {
  it('accepts the rules and the scrape configuration', () => {
    expect(promtool('check', 'rules', ...monitoringFiles('*.rules.yaml'))).toContain('SUCCESS');
    expect(promtool('check', 'config', '--syntax-only', 'prometheus.yaml')).toContain('SUCCESS');
  });

  it.each(monitoringFiles('tests/*.test.yaml'))('sees the alerts of %s fire and stay silent', (path) => {
    expect(promtool('test', 'rules', path)).toContain('SUCCESS');
  });

  it("accepts the dashboards' queries", () => {
    const folder = mkdtempSync(join(tmpdir(), 'queries-'));
    try {
      const rules = targets.map(({ expr }, index) => ({
        record: `panel:query:${index}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      }));
      const file = join(folder, 'panels.rules.yaml');
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
      expect(promtool('check', 'rules', file)).toContain(`${targets.length} rules found`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
