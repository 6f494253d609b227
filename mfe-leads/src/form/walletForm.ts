import { z } from 'zod';

const dollars = (field: string) =>
  z
    .number(`Enter ${field} in dollars`)
    .min(0, `Enter ${field} in dollars`)
    .max(10_000_000, 'At most $10,000,000');

/** Fields of the wallet dialog (B3-PAY-01): USD, months, percent per year. */
export const walletFormSchema = z.object({
  monthlyBudget: dollars('a monthly budget').min(1, 'Enter a monthly budget'),
  downPayment: dollars('a down payment'),
  termMonths: z.number().int().min(1).max(120),
  aprPercent: z.number('Enter a rate').min(0, 'Enter a rate').max(50, 'At most 50 %'),
  tradeInValue: dollars('a trade-in value'),
});
