import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const REPOSITORY = resolve(import.meta.dirname, '../../../..');

/** Packages with a configuration: the folder with the README, and the module that exports its `configSchema`. */
export const CONFIGURED: readonly { readonly folder: string; readonly module: string }[] = [
  { folder: 'infra/services/identity', module: 'src/config.ts' },
  { folder: 'infra/services/marketplace-api', module: 'src/config.ts' },
  { folder: 'infra/services/remote-registry', module: 'src/config.ts' },
  { folder: 'shell', module: 'src/config.ts' },
];

/** The object of keys within the refinements and transforms around it. */
function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  if (schema instanceof z.ZodObject) return schema.shape as Record<string, z.ZodType>;
  if (schema instanceof z.ZodPipe) return shapeOf(schema.in as z.ZodType);
  throw new TypeError('a configuration must be an object of keys');
}

/** What a key is without a value, as text; '' if it has no default. */
function defaultOf(field: z.ZodType): string {
  if (field instanceof z.ZodDefault || field instanceof z.ZodPrefault) {
    const { defaultValue } = field.def;
    return Array.isArray(defaultValue) ? defaultValue.join(',') : String(defaultValue);
  }
  return field instanceof z.ZodPipe ? defaultOf(field.in as z.ZodType) : '';
}

/**
 * The keys of a configuration as a Markdown table, in their order. The meaning of a key is its `describe`; `meta({ default })`
 * replaces a default that is a path, or that depends on other keys. @throws Error for a key without a meaning
 */
export function configurationTable(schema: z.ZodType): string {
  const rows = Object.entries(shapeOf(schema)).map(([key, field]) => {
    const { description, default: shown } = field.meta() ?? {};
    if (description === undefined) throw new Error(`${key} has no description`);
    const value = typeof shown === 'string' ? shown : defaultOf(field) && `\`${defaultOf(field)}\``;
    return [`\`${key}\``, value, description];
  });
  const table = [['key', 'default', 'meaning'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]!.length)));
  const lines = table.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`);
  lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return lines.join('\n');
}

const SECTION = /(<!-- configuration:start -->\n\n)[^]*?(\n\n<!-- configuration:end -->)/;

/** The README with the table between its two marks. */
export const withTable = (readme: string, table: string): string =>
  readme.replace(SECTION, (_, start: string, end: string) => start + table + end);

/** The keys of a package's configuration; its README, and how that should be. */
export async function readReadme({ folder, module }: (typeof CONFIGURED)[number]) {
  const path = join(REPOSITORY, folder, 'README.md');
  const { configSchema } = (await import(pathToFileURL(join(REPOSITORY, folder, module)).href)) as {
    readonly configSchema: z.ZodType;
  };
  const text = readFileSync(path, 'utf8');
  return {
    path,
    text,
    current: withTable(text, configurationTable(configSchema)),
    keys: Object.keys(shapeOf(configSchema)),
  };
}

/** `npm run lint` runs this: exit status 1 if a README's table is stale. `--write` updates them. */
async function main(): Promise<void> {
  for (const configured of CONFIGURED) {
    const { path, text, current } = await readReadme(configured);
    if (text === current) continue;
    if (process.argv.includes('--write')) writeFileSync(path, current);
    else {
      process.stderr.write(
        `${path}: the table of configuration keys is stale; \`npm run configuration\` writes it\n`,
      );
      process.exitCode = 1;
    }
  }
}

if (import.meta.main) await main();
