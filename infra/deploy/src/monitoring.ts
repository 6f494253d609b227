import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { DEPLOY, REPOSITORY } from './manifests.ts';

export const MONITORING = join(DEPLOY, 'monitoring');

/** Sources of each service, by the job that Prometheus scrapes it as. */
const SOURCES: Readonly<Record<string, string>> = {
  shell: 'shell/src',
  registry: 'infra/services/remote-registry/src',
  api: 'infra/services/marketplace-api/src',
  identity: 'infra/services/identity/src',
};
export const JOBS = Object.keys(SOURCES);

/** A series as queries name it: that of a histogram ends in `_bucket`, `_sum` or `_count`. */
export interface Series {
  readonly labels: ReadonlySet<string>;
  /** Whether the label can have this value; regular expressions are not checked. */
  readonly allows: (value: string) => boolean;
}

/** What each target has, besides what the service exports. */
const TARGET_LABELS = ['job', 'instance'];
const UP: Series = { labels: new Set(TARGET_LABELS), allows: (value) => JOBS.includes(value) };

/** Names of the metrics that a source declares, with kind and labels. */
function declaredMetrics(source: string) {
  // Metrics that a local function declares have their name where it is called.
  const calls = [...source.matchAll(/\bgauge\(\s*'([a-z_]+)'/g)].map(([, name]) => name as string);
  return [...source.matchAll(/new (Counter|Gauge|Histogram)\(\{([\s\S]*?)\bregisters\b/g)].flatMap(
    ([, kind, options = '']) => {
      const name = /\bname: '(\w+)'/.exec(options)?.[1];
      const list = /\blabelNames: \[([^\]]*)\]/.exec(options)?.[1] ?? '';
      const labels = [...list.matchAll(/'(\w+)'/g)].map(([, label]) => label as string);
      return (name === undefined ? calls : [name]).map((one) => ({ name: one, kind, labels }));
    },
  );
}

/** Every series that the services export, by name, from the declarations in their sources. */
export function exportedSeries(): ReadonlyMap<string, Series> {
  const series = new Map<string, Series>([['up', UP]]);
  for (const folder of Object.values(SOURCES)) {
    const texts = globSync(`${folder}/**/*.ts`, { cwd: REPOSITORY })
      .filter((path) => !path.endsWith('.test.ts') && !path.includes('/testing/'))
      .map((path) => readFileSync(join(REPOSITORY, path), 'utf8'));
    const allows = (value: string) => texts.some((text) => text.includes(`'${value}'`));
    for (const { name, kind, labels } of texts.flatMap(declaredMetrics)) {
      const all = [...labels, ...TARGET_LABELS];
      const one = { labels: new Set(all), allows };
      if (kind !== 'Histogram') series.set(name, one);
      else {
        for (const suffix of ['_sum', '_count']) series.set(name + suffix, one);
        series.set(`${name}_bucket`, { labels: new Set([...all, 'le']), allows });
      }
    }
  }
  return series;
}

export interface Query {
  readonly metrics: readonly string[];
  readonly selectors: readonly {
    readonly label: string;
    readonly value: string;
    readonly isRegex: boolean;
  }[];
  /** Labels of `by (…)`. */
  readonly groups: readonly string[];
}

const KEYWORDS: ReadonlySet<string> = new Set(['and', 'or', 'unless', 'offset', 'by']);

/** Splits the PromQL of this folder. Knows `by` as the only clause with labels; promtool checks the syntax. */
export function readQuery(expression: string): Query {
  const selectors = [...expression.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].map(
    ([, label = '', operator = '', value = '']) => ({ label, value, isRegex: operator.includes('~') }),
  );
  const groups = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
  const rest = expression.replace(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)|\boffset \w+/g, ' ');
  const metrics = [...rest.matchAll(/(?<![\w.:])([a-zA-Z_:][\w:]*)(?!\w|:|\s*\()/g)]
    .map(([, name]) => name as string)
    .filter((name) => !KEYWORDS.has(name));
  return { metrics: [...new Set(metrics)], selectors, groups };
}

/** What is wrong with a query, one line each. */
export function problemsOf(expression: string, series: ReadonlyMap<string, Series>): string[] {
  const { metrics, selectors, groups } = readQuery(expression);
  if (metrics.length === 0) return [`no metric in ${expression}`];
  const unknown = metrics.filter((name) => !series.has(name));
  if (unknown.length > 0) return unknown.map((name) => `no service exports ${name}`);
  const used = metrics.map((name) => series.get(name)!);
  const hasLabel = (label: string) => used.some(({ labels }) => labels.has(label));
  const labels = [...groups, ...selectors.map(({ label }) => label)].filter((label) => !hasLabel(label));
  const values = selectors
    .flatMap(({ value, isRegex }) => (isRegex ? value.split('|') : [value]))
    // A status, or its class: 5..
    .filter((value) => !/^\d/.test(value) && !used.some(({ allows }) => allows(value)));
  return [
    ...labels.map((label) => `${metrics.join(', ')}: no label ${label}`),
    ...values.map((value) => `${metrics.join(', ')}: no value ${value}`),
  ];
}

const ruleFile = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.union([
          z.strictObject({ record: z.string(), expr: z.string() }),
          z.strictObject({
            alert: z.string(),
            expr: z.string(),
            for: z.string().optional(),
            labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
            annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
          }),
        ]),
      ),
    }),
  ),
});

/** Paths of files of the folder, by a pattern. */
export const monitoringFiles = (pattern: string): string[] => globSync(pattern, { cwd: MONITORING }).sort();

const readYaml = (path: string): unknown => parse(readFileSync(join(MONITORING, path), 'utf8'));

/** All recording and alert rules. */
export function readRules() {
  const rules = monitoringFiles('*.rules.yaml').flatMap((path) =>
    ruleFile.parse(readYaml(path)).groups.flatMap((group) => group.rules),
  );
  return {
    records: rules.filter((rule) => 'record' in rule),
    alerts: rules.filter((rule) => 'alert' in rule),
  };
}

/** The alerts that promtool's tests expect, and the count of them at that time. */
export const readAlertCases = () =>
  monitoringFiles('tests/*.test.yaml').flatMap((path) =>
    z
      .object({
        tests: z.array(
          z.object({
            name: z.string(),
            alert_rule_test: z.array(z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()) })),
          }),
        ),
      })
      .parse(readYaml(path))
      .tests.flatMap((test) => test.alert_rule_test),
  );

/** The panels of a dashboard, by its path. */
export const readPanels = (path: string) =>
  z
    .object({
      uid: z.string(),
      panels: z.array(
        z.object({
          id: z.number(),
          title: z.string(),
          datasource: z.strictObject({ type: z.literal('prometheus'), uid: z.literal('${source}') }),
          targets: z
            .array(z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() }))
            .min(1),
        }),
      ),
    })
    .parse(JSON.parse(readFileSync(join(MONITORING, path), 'utf8'))).panels;

/** The jobs of the scrape configuration beside compose.yaml. */
export const readJobs = () =>
  z
    .object({ scrape_configs: z.array(z.object({ job_name: z.string() })) })
    .parse(readYaml('prometheus.yaml'))
    .scrape_configs.map(({ job_name }) => job_name);

/** The files that the kustomization makes ConfigMaps of. */
export const readConfigMapFiles = () =>
  z
    .object({ configMapGenerator: z.array(z.object({ name: z.string(), files: z.array(z.string()) })) })
    .parse(readYaml('kustomization.yaml'))
    .configMapGenerator.flatMap(({ files }) => files);
