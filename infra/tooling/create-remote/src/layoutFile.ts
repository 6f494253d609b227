import ts from 'typescript';
import { GeneratorError } from './names.ts';

/** A slot in the page layout and its source: 'shell' or a remote. */
export interface Placement {
  readonly slot: string;
  readonly source: string;
}

interface ParsedPlacement extends Placement {
  /** Start of the element, including the comments above it. */
  readonly start: number;
}

const LAYOUT = 'LAYOUT';
/** New slots are placed before this one, at the end of the page's main content. */
const NEXT_SLOT = 'related';

function propertyOf(node: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  for (const property of node.properties)
    if (ts.isPropertyAssignment(property) && property.name.getText() === name) return property.initializer;
  return undefined;
}

function sourceOf(expression: ts.Expression | undefined): string | undefined {
  if (!expression) return undefined;
  if (ts.isStringLiteral(expression)) return expression.text;
  const remote = ts.isObjectLiteralExpression(expression) ? propertyOf(expression, 'remote') : undefined;
  return remote && ts.isStringLiteral(remote) ? remote.text : undefined;
}

function layoutOf(text: string): { placements: ParsedPlacement[]; end: number } {
  const file = ts.createSourceFile('layout.ts', text, ts.ScriptTarget.Latest, true);
  const constants = new Map(
    file.statements
      .filter(ts.isVariableStatement)
      .flatMap((statement) => [...statement.declarationList.declarations])
      .map((declaration) => [declaration.name.getText(), declaration.initializer]),
  );
  const array = constants.get(LAYOUT);
  if (!array || !ts.isArrayLiteralExpression(array))
    throw new GeneratorError('REPOSITORY_UNEXPECTED', `the page layout has no array ${LAYOUT}`);
  const placements = array.elements.map((element) => {
    // A placement of several pages is a constant of its own.
    const placement = ts.isIdentifier(element) ? constants.get(element.text) : element;
    const isObject = placement !== undefined && ts.isObjectLiteralExpression(placement);
    const slot = isObject ? propertyOf(placement, 'slot') : undefined;
    const source = isObject ? sourceOf(propertyOf(placement, 'source')) : undefined;
    if (!slot || !ts.isStringLiteral(slot) || source === undefined)
      throw new GeneratorError(
        'REPOSITORY_UNEXPECTED',
        `the page layout has an entry without slot and source: ${element.getText().slice(0, 60)}`,
      );
    return { slot: slot.text, source, start: element.getFullStart() };
  });
  return { placements, end: array.elements.end };
}

/** The placements of a layout file, in document order. */
export const readPlacements = (text: string): Placement[] =>
  layoutOf(text).placements.map(({ slot, source }) => ({ slot, source }));

/**
 * Adds the slot at the end of the page's main content: optional, rendered on the
 * server, hydrated when visible, without reserved space, reading what every slot
 * may. The rest of the file stays unchanged.
 * @throws GeneratorError SLOT_TAKEN
 */
export function addPlacement(text: string, { slot, source }: Placement): string {
  const { placements, end } = layoutOf(text);
  const existing = placements.find((placement) => placement.slot === slot);
  if (existing)
    throw new GeneratorError(
      'SLOT_TAKEN',
      `the page already has a slot '${slot}' from ${existing.source}: choose another name`,
    );
  const position = placements.find((placement) => placement.slot === NEXT_SLOT)?.start ?? end;
  const placement = `
  {
    slot: '${slot}',
    source: { remote: '${source}' },
    criticality: 'optional',
    deadlineMs: 300,
    hydrate: 'visible',
    reserve: { narrow: '0', wide: '0' },
    reads: [],
  },`;
  return text.slice(0, position) + placement + text.slice(position);
}
