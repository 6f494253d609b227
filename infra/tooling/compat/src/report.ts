import type { Comparison } from './compare.ts';
import { isBroken, needsMinor, type Judgement } from './contract/judge.ts';

/** Reasons of one kind told in full; the rest is counted. */
const TOLD = 8;

export const isCompatible = ({ remotes, contracts }: Comparison): boolean =>
  !isBroken(contracts) &&
  remotes.every(({ olderHere, hereInOlder }) =>
    [olderHere, hereInOlder].every((one) => one?.verdict !== 'broken'),
  );

function listed(lines: readonly string[]): string[] {
  const told = lines.slice(0, TOLD).map((line) => `    - ${line}`);
  return lines.length > TOLD ? [...told, `    - and ${lines.length - TOLD} more (--json has all)`] : told;
}

const cellOf = (judgement: Judgement | undefined): string =>
  judgement ? `${judgement.verdict} (${judgement.renders} renders)` : 'none';

const COLUMNS = ['remote', 'older release here', 'this release in the older shell'] as const;

/** The comparison for people: a table, then every reason. */
export function describeComparison(comparison: Comparison, older: string): string {
  const { remotes, contracts } = comparison;
  const rows = remotes.map(({ remote, olderHere, hereInOlder }) => [
    remote,
    cellOf(olderHere),
    cellOf(hereInOlder),
  ]);
  const widths = COLUMNS.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  const out = [line(COLUMNS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line), ''];

  const tell = (title: string, judgement: Judgement | undefined) => {
    if (!judgement || judgement.verdict === 'works') return;
    out.push(`${title}: ${judgement.verdict}`, ...listed(judgement.reasons), '');
  };
  for (const { remote, olderHere, hereInOlder } of remotes) {
    tell(`${remote} of ${older} in this shell`, olderHere);
    tell(`this ${remote} in the shell of ${older}`, hereInOlder);
  }
  const versions =
    contracts.older === contracts.newer ? contracts.newer : `${contracts.older} -> ${contracts.newer}`;
  if (contracts.breaking.length > 0)
    out.push(
      isBroken(contracts)
        ? `shared-contracts ${versions} breaks what was built against ${older}; keep it, or raise the major:`
        : `shared-contracts ${versions} breaks what was built against ${older}, as a new major may:`,
      ...listed(contracts.breaking),
      '',
    );
  if (needsMinor(contracts))
    out.push(
      `shared-contracts has grown and is still ${contracts.newer}: a remote that uses what is new would be let into a shell that lacks it. Raise the minor before it is published:`,
      ...listed(contracts.added),
      '',
    );
  out.push(isCompatible(comparison) ? `Compatible with ${older}.` : `Not compatible with ${older}.`);
  return `${out.join('\n')}\n`;
}
