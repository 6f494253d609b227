import type { Comparison } from './compare.ts';
import { isBroken, needsMinor, type Judgement } from './contract/judge.ts';

/** Reasons of one kind that are listed; the rest is only counted. */
const MAX_REASONS = 8;

export const isCompatible = ({ remotes, contracts }: Comparison): boolean =>
  !isBroken(contracts) &&
  remotes.every(({ olderHere, hereInOlder }) =>
    [olderHere, hereInOlder].every((one) => one?.verdict !== 'broken'),
  );

function listed(lines: readonly string[]): string[] {
  const shown = lines.slice(0, MAX_REASONS).map((line) => `    - ${line}`);
  return lines.length > MAX_REASONS
    ? [...shown, `    - and ${lines.length - MAX_REASONS} more (--json has all)`]
    : shown;
}

const cellOf = (judgement: Judgement | undefined): string =>
  judgement ? `${judgement.verdict} (${judgement.renders} renders)` : 'none';

const COLUMNS = ['remote', 'older release here', 'this release in the older shell'] as const;

/** The comparison as text: a table, then the reasons. */
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

  const addReasons = (title: string, judgement: Judgement | undefined) => {
    if (!judgement || judgement.verdict === 'works') return;
    out.push(`${title}: ${judgement.verdict}`, ...listed(judgement.reasons), '');
  };
  for (const { remote, olderHere, hereInOlder } of remotes) {
    addReasons(`${remote} of ${older} in this shell`, olderHere);
    addReasons(`this ${remote} in the shell of ${older}`, hereInOlder);
  }
  const versions =
    contracts.older === contracts.newer ? contracts.newer : `${contracts.older} -> ${contracts.newer}`;
  if (contracts.breaking.length > 0)
    out.push(
      isBroken(contracts)
        ? `shared-contracts ${versions} breaks releases built against ${older}; undo this, or raise the major version:`
        : `shared-contracts ${versions} breaks releases built against ${older}, which a new major version may:`,
      ...listed(contracts.breaking),
      '',
    );
  if (needsMinor(contracts))
    out.push(
      `shared-contracts has additions but is still ${contracts.newer}: a shell without them would accept a remote that uses them. Raise the minor version before publishing:`,
      ...listed(contracts.added),
      '',
    );
  out.push(isCompatible(comparison) ? `Compatible with ${older}.` : `Not compatible with ${older}.`);
  return `${out.join('\n')}\n`;
}
