export * from '@forecourt/slots';
export { isSlotModule } from '@forecourt/slots/module';
