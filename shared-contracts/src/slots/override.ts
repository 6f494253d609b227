export * from '@forecourt/releases/override';
