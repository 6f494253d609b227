import { nameKey } from '../../domain/catalog.ts';
import type { FeedMapping, FeedRow, SourceRow } from './mapping.ts';
import { OTHER_VEHICLE_NAMES, otherVehicleOf } from './otherVehicles.ts';
import { createRowFilter } from './readFields.ts';
import type { AddNote } from './rowNotes.ts';
import { isForSale } from './saleStatus.ts';
import { UnreadableValue } from './values.ts';

/** A row that the mapping's filters or its status leave out. */
export class LeftOut extends Error {
  readonly code = 'LEFT_OUT';
  /** Its car is known as sold, so its listing ends. */
  readonly isSold: boolean;

  constructor(reason: string, isSold: boolean) {
    super(reason);
    this.isSold = isSold;
  }
}

const statusReason = (status: string): string => `status '${status.slice(0, 30)}'`;

/** Decides which rows are offers. */
export function createRowSelection(mapping: FeedMapping, note: AddNote) {
  const passes = createRowFilter(mapping);
  const accepted = new Set<string>(mapping.otherVehicles);
  return {
    /** @throws LeftOut, UnreadableValue for a vehicle that is no car */
    check(row: SourceRow, fields: FeedRow): void {
      if (!passes(row)) throw new LeftOut("the mapping's filters", false);
      const { status, price = '' } = fields;
      if (/^\W*sold\b/i.test(price)) throw new LeftOut(statusReason(price), true);
      if (status !== undefined) {
        const forSale = isForSale(status);
        if (forSale === false) throw new LeftOut(statusReason(status), true);
        if (forSale === undefined) note('status', 'unknown', status);
      }
      const other = otherVehicleOf(nameKey(fields.make ?? ''), [fields.vehicleType, fields.bodyStyle]);
      if (other !== undefined && !accepted.has(other))
        throw new UnreadableValue(`it is ${OTHER_VEHICLE_NAMES[other]}`);
    },
  };
}
