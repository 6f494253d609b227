import {
  highestPriceWithin,
  paymentLimitLabel,
  readMapArea,
  readPaymentLimit,
  withPaymentFields,
  writeMapArea,
  writePaymentLimit,
} from '@forecourt/search/criteria';

export * from '@forecourt/search/criteria';
export const mapArea = { read: readMapArea, write: writeMapArea };
export const paymentFilter = {
  read: readPaymentLimit,
  write: writePaymentLimit,
  label: paymentLimitLabel,
  withFields: withPaymentFields,
  highestPrice: highestPriceWithin,
};
