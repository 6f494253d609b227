export * from '@forecourt/upstream/codes';
