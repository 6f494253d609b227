import { parentPort, workerData } from 'node:worker_threads';
import { generateInventory, generateOwners } from '@forecourt/demo-data/inventory';
import { Oracle } from '@forecourt/marketplace-api/oracle';
import { answerOf } from '@forecourt/marketplace-api/oracleAnswer';
import type { ListingQuery, PageRequest } from '@forecourt/marketplace-api/query';
import { inventoryOf } from './measureSearch.ts';
import type { OraclePart } from './startOracle.ts';

// A worker thread that answers searches by brute force for its part of the inventory.
const { listings, part, parts } = workerData as OraclePart;
const MS_PER_DAY = 86_400_000;

const options = inventoryOf(listings);
const today = Math.floor(options.today.getTime() / MS_PER_DAY);
const oracle = new Oracle(generateOwners(options));
let at = 0;
for (const listing of generateInventory(options)) {
  if (at % parts === part) oracle.add(listing);
  else oracle.know(listing);
  at += 1;
}

parentPort!.on('message', ({ query, page }: { query: ListingQuery; page: PageRequest }) =>
  parentPort!.postMessage(answerOf(oracle, query, page, today)),
);
parentPort!.postMessage('ready');
