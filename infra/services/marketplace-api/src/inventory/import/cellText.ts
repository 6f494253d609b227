import { isUtf8 } from 'node:buffer';
import { decodeHTMLStrict } from 'entities/decode';

/** What a plain cell lacks: blanks around it, characters beyond ASCII, an entity, signs by which spreadsheets mark text. */
const UNUSUAL = /[^\x20-\x7e]|&(?:#?\w+;)|^[\s'="]|\s$/;
/** Blanks of any width, line breaks and tabs. */
const BLANKS = /[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
/** Characters that show nothing: controls, soft hyphens, zero-width ones, direction marks, byte order marks. */
const INVISIBLE = /(?![\n\r\t\v\f])[\p{Cc}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/gu;

/** `="02138"`, `="02138`, `'02138`, `"02138"`: marks by which spreadsheets know a number as text. */
function undressed(text: string): string {
  const formula = /^=\s*"([^]*?)"?$/.exec(text)?.[1];
  if (formula !== undefined) return formula.replaceAll('""', '"');
  const quoted = /^"([^"]*)"$/.exec(text)?.[1];
  return (quoted ?? text).replace(/^'+(?=.)/, '');
}

/** UTF-8 that was read as Windows' Western code page and written again: 'CitroÃ«n'. */
const TWICE = /[\u00c2-\u00c5\u00e2]/;

/** A cell's text as a person would read it: without dressing, entities, invisible characters and blanks around it. */
export function cellText(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  // UTF-16 that was read as bytes has them within entities.
  const whole = text.replaceAll('\0', '');
  const decoded = whole.includes('&') ? decodeHTMLStrict(whole) : whole;
  const once = TWICE.test(decoded) ? onceEncoded(decoded) : decoded;
  return undressed(once.replace(INVISIBLE, '').replace(BLANKS, ' ').trim()).trim().normalize('NFC');
}

const WESTERN = new TextDecoder('windows-1252');
const BYTE_OF_CHARACTER: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 256 }, (_, byte) => [WESTERN.decode(Uint8Array.of(byte)), byte] as const),
);

function onceEncoded(text: string): string {
  const bytes: number[] = [];
  for (const character of text) {
    const byte = BYTE_OF_CHARACTER.get(character);
    if (byte === undefined) return text;
    bytes.push(byte);
  }
  const read = Buffer.from(bytes);
  // Otherwise its accents are meant.
  return isUtf8(read) ? read.toString() : text;
}

/** Whether characters were lost before the feed was written. */
export const isDamaged = (text: string): boolean => text.includes('\ufffd');
