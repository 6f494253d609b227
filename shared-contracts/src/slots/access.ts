export * from '@forecourt/releases/access';
