export * from './bus.ts';
export * from './map.ts';
