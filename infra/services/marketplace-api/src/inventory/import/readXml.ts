import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { DocumentSurvey } from './documentSurvey.ts';
import { GroupsAbove } from './groupsAbove.ts';
import { BrokenFeed, LONGEST_ROW, type ReadRow } from './mapping.ts';
import type { NestedShape } from './nestedShape.ts';

/** An ampersand that begins no reference: systems that write XML by hand forget to escape it. */
const BARE_AMPERSAND = /&(?!#?\w{1,31};)/g;
/** Characters of the longest reference. */
const LONGEST_REFERENCE = 34;

/** Complete text of chunks, with ampersands escaped. */
function createTextOf(): (chunk: Buffer | undefined) => string {
  const decoder = new TextDecoder();
  let rest = '';
  return (chunk) => {
    let text = rest + (chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode());
    const last = text.lastIndexOf('&');
    // What follows decides what it is.
    const isCut = chunk !== undefined && last >= 0 && last > text.length - LONGEST_REFERENCE;
    rest = isCut ? text.slice(last) : '';
    if (isCut) text = text.slice(0, last);
    return last >= 0 ? text.replace(BARE_AMPERSAND, '&amp;') : text;
  };
}

/** An element of a row. */
interface Part {
  readonly column: string;
  text: string;
  hasParts: boolean;
}

interface OpenRow {
  readonly columns: Record<string, unknown>;
  readonly line: number;
  readonly parts: Part[];
  length: number;
  problem: string | undefined;
}

/** References to entities of a document type are not expanded; those of HTML are, in each cell. */
const isHarmless = (message: string): boolean => /entity/.test(message);

/** Whether an element below those of a path is a row. */
type RowTest = (path: readonly { readonly name: string }[], name: string) => boolean;

/** Collects the rows of a document while it is parsed. */
class XmlRows {
  readonly found: ReadRow[] = [];
  private readonly parser = new SaxesParser();
  private readonly path: { readonly name: string; text: string; hasRows: boolean; hasParts: boolean }[] = [];
  private readonly above: GroupsAbove;
  private row: OpenRow | undefined;
  private hasElements = false;
  private readonly isRow: RowTest;

  constructor(isRow: RowTest, above: readonly string[]) {
    this.isRow = isRow;
    this.above = new GroupsAbove(above);
    this.parser.on('error', ({ message }) => {
      if (this.row && !isHarmless(message)) this.row.problem ??= message.replace(/^\d+:\d+: /, '');
    });
    this.parser.on('opentag', (tag) => this.open(tag));
    this.parser.on('text', (text) => this.addText(text));
    this.parser.on('cdata', (text) => this.addText(text));
    this.parser.on('closetag', () => this.close());
  }

  write(text: string): void {
    this.parser.write(text);
  }

  end(): void {
    if (!this.hasElements) throw new BrokenFeed('No elements in the document');
    if (this.row || this.path.length > 0)
      throw new BrokenFeed(`Unclosed element after line ${this.parser.line}`);
  }

  private open({ name, attributes }: SaxesTagPlain): void {
    this.hasElements = true;
    const { row } = this;
    if (!row && this.isRow(this.path, name)) {
      for (const one of this.path) one.hasRows = true;
      const opened: Part = { column: '', text: '', hasParts: true };
      this.row = { columns: {}, line: this.parser.line, parts: [opened], length: 0, problem: undefined };
      for (const [key, value] of Object.entries(attributes)) this.add(`@${key}`, value);
      return;
    }
    if (!row) {
      const around = this.path.at(-1);
      if (around) around.hasParts = true;
      this.path.push({ name, text: '', hasRows: false, hasParts: Object.keys(attributes).length > 0 });
      this.above.open(name);
      for (const [key, value] of Object.entries(attributes)) this.above.add(`@${key}`, value);
      return;
    }
    const around = row.parts.at(-1)!;
    around.hasParts = true;
    const column = around.column ? `${around.column}.${name}` : name;
    const entries = Object.entries(attributes);
    row.parts.push({ column, text: '', hasParts: entries.length > 0 });
    for (const [key, value] of entries) this.add(`${column}.@${key}`, value);
  }

  private addText(text: string): void {
    const part = this.row?.parts.at(-1) ?? this.path.at(-1);
    if (!part) return;
    part.text += text;
    if (this.row) this.count(text.length);
  }

  private count(length: number): void {
    const { row } = this;
    if (!row) return;
    row.length += length;
    if (row.length > LONGEST_ROW) throw new BrokenFeed(`Unclosed element after line ${row.line}`);
  }

  private add(column: string, value: string): void {
    const { columns } = this.row!;
    const before = columns[column];
    columns[column] = before === undefined ? value : [before, value].flat();
    this.count(column.length + value.length);
  }

  private close(): void {
    const { row } = this;
    if (!row) {
      this.closeAround();
      return;
    }
    const { column, text, hasParts } = row.parts.pop()!;
    const bare = text.trim();
    if (!hasParts) this.add(column, bare);
    else if (bare !== '') this.add(column ? `${column}.#text` : '#text', bare);
    if (row.parts.length > 0) return;
    this.row = undefined;
    const { line, problem, columns } = row;
    this.found.push(
      problem === undefined
        ? { line, row: this.above.around(columns) }
        : { line, problem: `is not valid XML: ${problem}`, text: JSON.stringify(columns) },
    );
  }

  private closeAround(): void {
    const closed = this.path.pop();
    if (!closed) return;
    const text = closed.text.trim();
    this.above.close(closed.hasRows);
    if (!closed.hasRows && text !== '')
      this.above.add(closed.hasParts ? `${closed.name}.#text` : closed.name, text);
  }
}

/** The path of the rows, from the beginning of a document. */
function surveyOf(head: Buffer, mapped: readonly string[]): string | undefined {
  const survey = new DocumentSurvey();
  const parser = new SaxesParser();
  const open: { isGroup: boolean; hasText: boolean }[] = [];
  // What is wrong or cut off is judged when the rows are read.
  parser.on('error', () => {});
  const addText = (text: string) => {
    const around = open.at(-1);
    if (around && text.trim() !== '') around.hasText = true;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentag', ({ name, attributes }) => {
    const names = Object.keys(attributes);
    const around = open.at(-1);
    if (around) around.isGroup = true;
    open.push({ isGroup: names.length > 0, hasText: false });
    survey.open(name, false);
    for (const key of names) survey.leaf(`@${key}`);
  });
  parser.on('closetag', () => {
    const { isGroup, hasText } = open.pop() ?? { isGroup: false, hasText: false };
    if (!isGroup) {
      survey.closeAsLeaf();
      return;
    }
    if (hasText) survey.leaf('#text');
    survey.close();
  });
  parser.write(createTextOf()(head));
  return survey.rowsPath(mapped);
}

/** The rows of an XML document: the elements of the name `rows`, or those that look like vehicles. */
export async function* readXml(
  chunks: AsyncIterable<Buffer>,
  head: Buffer,
  { rows: name, mapped, above }: NestedShape,
): AsyncIterable<ReadRow> {
  const chosen = name === undefined ? surveyOf(head, mapped) : undefined;
  const depth = chosen?.split('/').length;
  const rows = new XmlRows(
    name === undefined
      ? (path, tag) => path.length + 1 === depth && [...path.map((one) => one.name), tag].join('/') === chosen
      : (_, tag) => tag === name,
    above,
  );
  const textOf = createTextOf();
  for await (const chunk of chunks) {
    rows.write(textOf(chunk));
    yield* rows.found.splice(0);
  }
  rows.write(textOf(undefined));
  yield* rows.found.splice(0);
  rows.end();
}
