export * from './constants.ts';
export * from './gridPositions.ts';
export * from './missingCriteria.ts';
export * from './newCarBoost.ts';
export * from './payment.ts';
export * from './price.ts';
export * from './years.ts';
export * from './zip.ts';
