export { openDatabase } from './database.ts';
export { createIndexFeed } from './indexFeed.ts';
export { createInventoryWriter } from './inventoryWriter.ts';
