import { z } from 'zod';

const dollars = (what: string) =>
  z
    .number(`Enter ${what} in dollars`)
    .min(0, `Enter ${what} in dollars`)
    .max(10_000_000, 'At most $10,000,000');

/** What a visitor types into the payments wallet (B3-PAY-01): US dollars, months, percent a year. */
export const walletFormSchema = z.object({
  monthlyBudget: dollars('a monthly budget').min(1, 'Enter a monthly budget'),
  downPayment: dollars('a down payment'),
  termMonths: z.number().int().min(1).max(120),
  aprPercent: z.number('Enter a rate').min(0, 'Enter a rate').max(50, 'At most 50 %'),
  tradeInValue: dollars('a trade-in value'),
});

export type WalletForm = z.infer<typeof walletFormSchema>;
