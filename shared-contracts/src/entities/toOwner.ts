import { z } from 'zod';
import { SELLER_TYPES } from './codes.ts';
import { asList, asRecord } from './loose.ts';
import type { Owner } from './owner.ts';
import { ownerSchema } from './owner.ts';

/** 'https://…' and {href} are both in the specs; one form comes out. */
const wrapped = (value: unknown, key: 'href' | 'value') =>
  typeof value === 'string' ? (value ? { [key]: value } : undefined) : value;

/** Fills each of the two shapes of the specs from the other (AMB-011). */
function fillBothShapes(raw: unknown): unknown {
  const source = asRecord(raw);
  // A private seller's own name goes no further (A3-OWNER-06).
  const name = source['privateSeller'] === true ? SELLER_TYPES.p : (source['ownerName'] ?? source['name']);
  const picture = asRecord(asList(asRecord(source['images'])['sources'])?.[0])['src'];
  const logo = source['logo'] ?? (picture === undefined ? undefined : { src: picture });
  return {
    ...source,
    name,
    ownerName: name,
    logo,
    images: source['images'] ?? { sources: logo === undefined ? [] : [logo] },
    website: wrapped(source['website'], 'href'),
    phone: wrapped(source['phone'], 'value'),
  };
}

/** A seller in either shape of the specs; yields the one form which a page reads. */
export const anyOwnerSchema = z.preprocess(fillBothShapes, ownerSchema);

/** Normalises one seller. Throws a ZodError when it is none (no id, no name). */
export const toOwner = (raw: unknown): Owner => anyOwnerSchema.parse(raw);
