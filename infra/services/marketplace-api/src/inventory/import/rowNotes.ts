import type { FeedField } from './mapping.ts';

/** What the importer did with a value that it could not take as it is, and what the owner of the feed can do. */
export const NOTE_KINDS = {
  missing: { text: 'is missing; listed without', remedy: 'Fill in the column.' },
  placeholder: { text: 'stands for no value', remedy: 'Leave the cell empty.' },
  unreadable: {
    text: "can't be read; left out",
    remedy: 'Write the value alone, in a form that the documentation names.',
  },
  damaged: {
    text: 'lost characters before it was exported; left out',
    remedy: 'Export the feed as UTF-8.',
  },
  implausible: { text: 'is implausible; left out', remedy: 'Correct the value at its source.' },
  currency: {
    text: 'is in another currency; left out',
    remedy: "Map the column in dollars, or give the mapping the currency's rate.",
  },
  converted: { text: 'was converted', remedy: 'Check one of the rows; no change is needed if it is right.' },
  corrected: { text: 'was corrected', remedy: 'Check one of the rows; no change is needed if it is right.' },
  unknown: {
    text: 'is a word that the importer does not know; left out',
    remedy: 'Map the word with "values".',
  },
  guessed: { text: 'was concluded from other columns', remedy: 'Map a column that states it.' },
  shared: {
    text: 'is that of another vehicle in this feed; left out',
    remedy: 'Give each vehicle its own number.',
  },
  shortened: { text: 'has more entries than are stored', remedy: 'No change is needed.' },
} as const;
export type NoteKind = keyof typeof NOTE_KINDS;

/** A remark on a value of a row; `text` is the beginning of the value. */
export type RowNote = readonly [field: FeedField, kind: NoteKind, text: string];

/** Characters of a value that a note quotes. */
const QUOTED = 60;

export type AddNote = (field: FeedField, kind: NoteKind, text?: string) => void;

/** The notes of one row at a time. */
export function createNotes(): {
  readonly add: AddNote;
  readonly take: () => readonly RowNote[] | undefined;
} {
  let notes: RowNote[] | undefined;
  return {
    add: (field, kind, text = '') => void (notes ??= []).push([field, kind, text.slice(0, QUOTED)]),
    take() {
      const taken = notes;
      notes = undefined;
      return taken;
    },
  };
}

/** Rows that the report names of each kind. */
const MAX_ROWS = 5;

/** Notes of one field and kind, with the first rows. */
export interface Finding {
  readonly field: string;
  readonly kind: NoteKind;
  count: number;
  readonly rows: { readonly line: number; readonly text: string }[];
}

/** Counts notes by field and kind. */
export function createFindings(): {
  readonly add: (line: number, notes: readonly RowNote[]) => void;
  /** The most frequent first. */
  readonly list: () => readonly Finding[];
} {
  const findings = new Map<string, Finding>();
  return {
    add(line, notes) {
      for (const [field, kind, text] of notes) {
        const key = `${field} ${kind}`;
        let finding = findings.get(key);
        if (!finding) findings.set(key, (finding = { field, kind, count: 0, rows: [] }));
        finding.count += 1;
        if (finding.rows.length < MAX_ROWS) finding.rows.push({ line, text });
      }
    },
    list: () => [...findings.values()].sort((a, b) => b.count - a.count),
  };
}
