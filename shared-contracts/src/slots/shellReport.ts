export * from '@forecourt/releases/shellReport';
