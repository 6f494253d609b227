export * from '@forecourt/slots/ui';
