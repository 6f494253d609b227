/** How a row was understood, for the summary. */
export interface RowOutcome {
  /** How the listing was identified. */
  readonly key: 'vin' | 'stockNumber' | 'description';
  readonly isModelKnown: boolean;
  /** The seller's city is unknown, so the state's largest market is used. */
  readonly isPlaceApproximate: boolean;
  /** Key of the description by which it was identified. */
  readonly description?: number;
  /** The VIN has the form of a North American one, but not its check digit. */
  readonly hasInvalidVin: boolean;
}

/** What became of a row. */
export interface KnownRow extends RowOutcome {
  readonly listingId: string;
  readonly ownerId: string;
}

/** By the id of the listing that was imported from the row. */
export type ImportedRows = ReadonlyMap<string, readonly [rowHash: Buffer, row: KnownRow]>;

/** Rows of earlier imports by the hash of their words. */
export interface KnownRows {
  /** Undefined also when its listing is no longer for sale. */
  find(rowHash: Buffer): KnownRow | undefined;
}
