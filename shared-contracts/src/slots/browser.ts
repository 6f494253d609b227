export * from '@forecourt/slots/browser';
