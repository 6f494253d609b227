import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { DocumentSurvey } from './documentSurvey.ts';
import { flatten } from './flatten.ts';
import { ABOVE } from './groupsAbove.ts';
import { BrokenFeed, LONGEST_ROW, type ReadRow, type SourceRow } from './mapping.ts';
import type { NestedShape } from './nestedShape.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Numbers that some writers produce, and JSON lacks. */
const NO_NUMBER = /(?<=[:[,]\s*)-?(?:NaN|Infinity)(?=\s*[,}\]])/g;

const corrected = (chunk: Buffer): Buffer =>
  chunk.includes('NaN') || chunk.includes('Infinity')
    ? Buffer.from(chunk.toString().replace(NO_NUMBER, 'null'))
    : chunk;

/** A container that is open, with its part of the path of what it contains. */
interface Container {
  readonly isArray: boolean;
  readonly name: string;
  key: string;
  isAtKey: boolean;
}

/** What ends a key in a path of the survey or of the parser, neither of which knows an empty key. */
const NO_PART_OF_PATH = /[./]|^$/;

/** A key that a path can't name is any key in it. */
const nameIn = (around: Container | undefined): string => {
  if (!around) return '$';
  if (around.isArray) return `${around.name}.*`;
  return NO_PART_OF_PATH.test(around.key) ? '*' : around.key;
};

/** The path of the rows, from the beginning of a document. */
function surveyOf(head: Buffer, { rows, mapped }: NestedShape): string | undefined {
  const survey = new DocumentSurvey();
  const open: Container[] = [];
  const tokenizer = new Tokenizer();
  tokenizer.onToken = ({ token, value }) => {
    const around = open.at(-1);
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      const isArray = token === TokenType.LEFT_BRACKET;
      const name = nameIn(around);
      if (!isArray) survey.open(name, around?.isArray === true);
      open.push({ isArray, name, key: '', isAtKey: !isArray });
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) {
      if (open.pop()?.isArray === false) survey.close();
    } else if (token === TokenType.COMMA) {
      if (around) around.isAtKey = !around.isArray;
    } else if (token === TokenType.COLON) {
      if (around) around.isAtKey = false;
    } else if (around?.isAtKey) around.key = String(value);
    else if (value !== null) survey.leaf(around?.isArray ? around.name : nameIn(around));
  };
  // What is wrong or cut off is judged when the rows are read.
  tokenizer.onError = () => {};
  tokenizer.write(corrected(head));
  return (rows === undefined ? survey.rowsPath(mapped) : survey.listNamed(rows))?.replaceAll('/', '.');
}

const NEW_LINE = 10;

/** The lines of positions that only grow, in chunks that follow one another. */
class LineCounter {
  private chunk: Buffer = Buffer.alloc(0);
  private start = 0;
  private counted = 0;
  private line = 1;

  enter(chunk: Buffer): void {
    this.lineAt(this.start + this.chunk.length);
    this.start += this.chunk.length;
    this.counted = 0;
    this.chunk = chunk;
  }

  lineAt(position: number): number {
    const end = position - this.start;
    for (let at = this.chunk.indexOf(NEW_LINE, this.counted); at >= 0 && at < end;) {
      this.line += 1;
      at = this.chunk.indexOf(NEW_LINE, at + 1);
    }
    this.counted = Math.max(this.counted, end);
    return this.line;
  }
}

/** Wanted values of the objects around a row. */
function valuesAbove(above: readonly string[], around: readonly JsonObject[]): SourceRow {
  const found: Record<string, unknown> = {};
  for (const column of above) {
    const levels = column.split(ABOVE).length - 1;
    const fields = around.at(-levels);
    const value = fields && flatten(fields)[column.replaceAll(ABOVE, '')];
    if (value !== undefined) found[column] = value;
  }
  return found;
}

/** Collects the rows of a document while it is parsed. */
class JsonRows {
  readonly found: ReadRow[] = [];
  private readonly tokenizer = new Tokenizer();
  private readonly parser: TokenParser;
  private readonly lines = new LineCounter();
  private readonly above: readonly string[];
  /** Containers around a row. */
  private readonly rowDepth: number;
  private depth = 0;
  private rowStart: number | undefined;
  private rowLine = 1;
  private bytes = 0;

  constructor(path: string, above: readonly string[]) {
    this.above = above;
    this.rowDepth = path.split('.').length - 1;
    this.parser = new TokenParser({ paths: [path], keepStack: true });
    this.parser.onValue = ({ value, parent, stack }) => {
      const around = [...stack.map((element) => element.value), parent];
      this.addRow(
        value,
        around.filter((one) => isObject(one)),
      );
      // The rows before are not needed anymore.
      if (Array.isArray(parent)) parent.length = 0;
    };
    this.tokenizer.onToken = (token) => {
      const isOpening = token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET;
      if (isOpening) {
        if (this.depth === this.rowDepth) {
          this.rowStart = token.offset;
          this.rowLine = this.lines.lineAt(token.offset);
        }
        this.depth += 1;
      } else if (token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET) {
        this.depth -= 1;
        if (this.depth === this.rowDepth) this.rowStart = undefined;
      }
      this.parser.write(token);
    };
    const fail = (error: Error) => {
      throw new BrokenFeed(`Invalid JSON after line ${this.rowLine}: ${error.message}`);
    };
    this.tokenizer.onError = fail;
    this.parser.onError = fail;
  }

  private addRow(value: unknown, around: readonly JsonObject[]): void {
    const line = this.rowLine;
    if (!isObject(value)) {
      this.found.push({ line, problem: 'is not a JSON object', text: JSON.stringify(value) });
      return;
    }
    const row = flatten(value);
    this.found.push({
      line,
      row: this.above.length > 0 ? { ...row, ...valuesAbove(this.above, around) } : row,
    });
  }

  write(chunk: Buffer): void {
    if (this.tokenizer.isEnded) return;
    this.lines.enter(chunk);
    this.bytes += chunk.length;
    this.tokenizer.write(chunk);
    if (this.rowStart !== undefined && this.bytes - this.rowStart > LONGEST_ROW)
      throw new BrokenFeed(`Unclosed object after line ${this.rowLine}`);
  }

  end(): void {
    if (this.depth > 0) throw new BrokenFeed(`Unclosed array after line ${this.rowLine}`);
  }
}

/** The rows of a JSON document: the objects in the array `rows`, or in that which looks like one of vehicles. */
export async function* readJson(
  chunks: AsyncIterable<Buffer>,
  head: Buffer,
  shape: NestedShape,
): AsyncIterable<ReadRow> {
  const path = surveyOf(head, shape);
  if (path === undefined)
    throw new BrokenFeed(shape.rows === undefined ? 'No array of rows' : `No array '${shape.rows}'`);
  const rows = new JsonRows(path, shape.above);
  for await (const chunk of chunks) {
    rows.write(corrected(chunk));
    yield* rows.found.splice(0);
  }
  rows.end();
}
