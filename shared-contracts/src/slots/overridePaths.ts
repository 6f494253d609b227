export * from '@forecourt/releases/overridePaths';
