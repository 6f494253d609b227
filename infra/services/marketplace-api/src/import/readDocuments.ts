import { XMLParser } from 'fast-xml-parser';
import { type SourceRow, BrokenFeed, LONGEST_ROW, type ReadRow } from './mapping.ts';

/**
 * A nested row as columns: `price.amount`, `photos.photo`. A list of values stays one; of a list of groups the first
 * one counts, except that their equal fields are collected: `[{url: 'a'}, {url: 'b'}]` is `url: ['a', 'b']`.
 */
export function flatten(value: unknown, name = '', into: Record<string, unknown> = {}): SourceRow {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
    for (const item of value) flatten(item, name, into);
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [key, item] of Object.entries(value)) flatten(item, name ? `${name}.${key}` : key, into);
  } else if (value !== undefined && value !== null) {
    const before = into[name];
    into[name] = before === undefined ? value : [before, value].flat();
  }
  return into;
}

const lineBreaks = (text: string): number => text.split('\n').length - 1;

/** Objects of the first array of a JSON document, or of the array in field `rows`. */
export async function* readJson(text: AsyncIterable<string>, rows?: string): AsyncIterable<ReadRow> {
  // Outside of strings, brackets alone decide where a row begins and ends.
  let [depth, line, rowLine, row, word] = [0, 1, 1, '', ''];
  let isString = false;
  let isEscaped = false;
  let listDepth: number | undefined;
  let hasEnded = false;
  for await (const chunk of text) {
    for (const sign of chunk) {
      if (sign === '\n') line += 1;
      if (hasEnded) continue;
      const isInRow = listDepth !== undefined && depth > listDepth;
      if (isInRow) row += sign;
      if (row.length > LONGEST_ROW) throw new BrokenFeed(`Unclosed object after line ${rowLine}`);
      if (isString) {
        if (!isEscaped && sign === '"') isString = false;
        else if (!isInRow) word += sign;
        isEscaped = !isEscaped && sign === '\\';
      } else if (sign === '"') {
        isString = true;
        if (!isInRow) word = '';
      } else if (sign === '{' || sign === '[') {
        depth += 1;
        if (listDepth === undefined && sign === '[' && (rows === undefined || word === rows))
          listDepth = depth;
        else if (listDepth !== undefined && depth === listDepth + 1) [row, rowLine] = [sign, line];
      } else if (sign === '}' || sign === ']') {
        depth -= 1;
        if (listDepth !== undefined && depth === listDepth) yield jsonRow(row, rowLine);
        if (listDepth !== undefined && depth < listDepth) hasEnded = true;
      }
    }
  }
  if (listDepth === undefined) throw new BrokenFeed(rows ? `No array '${rows}'` : 'No array of rows');
  if (!hasEnded) throw new BrokenFeed(`Unclosed array after line ${line}`);
}

function jsonRow(text: string, line: number): ReadRow {
  try {
    return { line, row: flatten(JSON.parse(text)) };
  } catch {
    return { line, problem: 'is not valid JSON', text };
  }
}

/** Entities of a document type are not expanded. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  trimValues: true,
  // Also character references, e.g. &#235;
  htmlEntities: true,
});

/** The elements `rows` of an XML document; by default those named like the first child of the root. */
export async function* readXml(text: AsyncIterable<string>, rows?: string): AsyncIterable<ReadRow> {
  let buffer = '';
  let line = 1;
  let name = rows;
  for await (const chunk of text) {
    buffer += chunk;
    name ??= firstChild(buffer);
    if (name === undefined) continue;
    const end = `</${name}>`;
    const start = new RegExp(`<${escapeName(name)}[\\s>]`);
    for (let at = buffer.indexOf(end); at >= 0; at = buffer.indexOf(end)) {
      const piece = buffer.slice(0, at + end.length);
      const begins = piece.search(start);
      line += lineBreaks(piece.slice(0, Math.max(0, begins)));
      if (begins >= 0) yield xmlRow(piece.slice(begins), name, line);
      line += lineBreaks(piece.slice(Math.max(0, begins)));
      buffer = buffer.slice(at + end.length);
    }
    if (buffer.length > LONGEST_ROW) throw new BrokenFeed(`Unclosed element after line ${line}`);
  }
  if (name === undefined) throw new BrokenFeed('No elements in the document');
  if (new RegExp(`<${escapeName(name)}[\\s>]`).test(buffer))
    throw new BrokenFeed(`Unclosed element after line ${line}`);
}

const escapeName = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Name of the second element; undefined as long as the text is too short. */
function firstChild(text: string): string | undefined {
  const bare = text.replace(/<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<![^>]*>/g, '');
  return [...bare.matchAll(/<([A-Za-z_][\w.:-]*)(?=[\s>])[^>]*>/g)][1]?.[1];
}

function xmlRow(text: string, name: string, line: number): ReadRow {
  try {
    const parsed = parser.parse(text) as Record<string, unknown>;
    return { line, row: flatten(parsed[name]) };
  } catch (error) {
    return { line, problem: `is not valid XML: ${(error as Error).message}`, text };
  }
}
