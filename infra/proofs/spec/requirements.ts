/** One row of requirements.tsv. */
export interface Requirement {
  readonly id: string;
  /** The first name of the owner column: who proves the row. */
  readonly owner: string;
  readonly area: string;
  readonly requirement: string;
}

/** Reads the tab-separated table with its head line; throws on a row without id or a repeated id. */
export function parseRequirements(text: string): Requirement[] {
  const [head = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '');
  const columns = head.split('\t');
  const seen = new Set<string>();
  return lines.map((line, index) => {
    const cells = line.split('\t');
    const cell = (name: string) => cells[columns.indexOf(name)]?.trim() ?? '';
    const id = cell('id');
    if (!id || seen.has(id))
      throw new Error(`requirements.tsv line ${index + 2}: id '${id}' is missing or repeated`);
    seen.add(id);
    return {
      id,
      owner: cell('owner').split('+')[0] ?? '',
      area: cell('area'),
      requirement: cell('requirement'),
    };
  });
}
