import ts from 'typescript';
import { CreateRemoteError } from './createRemoteError.ts';

/** What stands in the page's layout: a slot, and who fills it ('shell' or a remote). */
export interface Placement {
  readonly slot: string;
  readonly source: string;
}

interface ParsedPlacement extends Placement {
  /** Where the element begins, the comments above it included. */
  readonly start: number;
}

const LAYOUT = 'LAYOUT';
/** The slot before which a new one is put: the end of the page's own content. */
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
  const array = file.statements
    .filter(ts.isVariableStatement)
    .flatMap((statement) => [...statement.declarationList.declarations])
    .find((declaration) => declaration.name.getText() === LAYOUT)?.initializer;
  if (!array || !ts.isArrayLiteralExpression(array))
    throw new CreateRemoteError('REPOSITORY_UNEXPECTED', `the page's layout has no array ${LAYOUT}`);
  const placements = array.elements.map((element) => {
    const slot = ts.isObjectLiteralExpression(element) ? propertyOf(element, 'slot') : undefined;
    const source = ts.isObjectLiteralExpression(element)
      ? sourceOf(propertyOf(element, 'source'))
      : undefined;
    if (!slot || !ts.isStringLiteral(slot) || source === undefined)
      throw new CreateRemoteError(
        'REPOSITORY_UNEXPECTED',
        `the page's layout has an entry without slot and source: ${element.getText().slice(0, 60)}`,
      );
    return { slot: slot.text, source, start: element.getFullStart() };
  });
  return { placements, end: array.elements.end };
}

/** The placements of a layout file, in document order. */
export const readPlacements = (text: string): Placement[] =>
  layoutOf(text).placements.map(({ slot, source }) => ({ slot, source }));

/**
 * The layout file with a place for the new slot at the end of the page's own
 * content: optional, rendered on the server, interactive when it is seen, no
 * space reserved. Whatever else the file says stays as it is.
 * @throws CreateRemoteError SLOT_TAKEN
 */
export function addPlacement(text: string, { slot, source }: Placement): string {
  const { placements, end } = layoutOf(text);
  const taken = placements.find((placement) => placement.slot === slot);
  if (taken)
    throw new CreateRemoteError(
      'SLOT_TAKEN',
      `the page has a slot '${slot}' of ${taken.source} already: choose another with --slot`,
    );
  const at = placements.find((placement) => placement.slot === NEXT_SLOT)?.start ?? end;
  const placement = `
  {
    slot: '${slot}',
    source: { remote: '${source}' },
    criticality: 'optional',
    deadlineMs: 300,
    hydrate: 'visible',
    reserve: { narrow: '0', wide: '0' },
  },`;
  return text.slice(0, at) + placement + text.slice(at);
}
