export * from '@forecourt/releases/canaryRule';
