/** Without what differs between a title in a document and in the code: quotes, code marks, and the rest after an ellipsis. */
const plain = (text: string) =>
  text
    .replaceAll(/\\(?=['"`])/g, '')
    .replaceAll(/[`'’“”"]/g, '')
    .replaceAll(/\s+/g, ' ');

/** Tests and titles that a text names and that don't exist: `file.test.ts`, followed by titles in quotation marks. */
export function missingProofs(text: string, sourcesNamed: (name: string) => readonly string[]): string[] {
  const missing: string[] = [];
  let sources: string[] = [];
  for (const [, file, title] of text
    .replaceAll('framed: ', '`framedSlots.e2e.ts`: ')
    .matchAll(/`([\w./-]+\.(?:test|e2e)\.tsx?)`|"([^"|]{6,})"/g)) {
    if (file !== undefined) {
      sources = sourcesNamed(file).map(plain);
      if (sources.length === 0) missing.push(file);
    } else if (title !== undefined && sources.length > 0) {
      const [start = ''] = plain(title).split('…');
      if (!sources.some((source) => source.includes(start.trim()))) missing.push(title);
    }
  }
  return missing;
}

const NAMES_PROOF =
  /`[\w./-]+\.(?:test|e2e)\.tsx?`|\b(?:hostile|framed|abuse): |\bproof `[\w-]+`|proofs -- [\w-]+`/;

const tableOfProofs = (block: string | undefined): boolean =>
  block !== undefined && /^\|.*\| (?:proof|test) +\|$/m.test(block);

/**
 * Claims of a threat model without a proof: rows of tables with a column of proofs or tests, and paragraphs. What is not stopped
 * needs none, and neither does the introduction, a paragraph that leads to such a table, or one before the proofs at the end of
 * its section.
 */
export function unprovenClaims(text: string): string[] {
  const [, ...sections] = text.split(/^## /m);
  const isProven = (claim: string) => NAMES_PROOF.test(claim) || claim.includes('Not stopped: ');
  return sections.flatMap((section) => {
    if (section.startsWith('What is not stopped')) return [];
    const [, ...blocks] = section.trim().split(/\n\n/);
    return blocks.flatMap((block, index) => {
      if (tableOfProofs(block)) return block.split('\n').filter((row, at) => at > 1 && !isProven(row));
      if (block.startsWith('|') || tableOfProofs(blocks[index + 1])) return [];
      return blocks.slice(index).some((later) => !later.startsWith('|') && isProven(later)) ? [] : [block];
    });
  });
}
