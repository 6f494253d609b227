import { describe, expect, it } from '@jest/globals';
import { sampleData } from '../testing/sampleData.ts';
import { faqPage, questionsOf } from './FaqsPanel.tsx';

const answers = (changes: Partial<typeof sampleData> = {}) =>
  questionsOf('Ford F-150', { ...sampleData, ...changes }).map(({ answer }) => answer);

describe('FAQs', () => {
  // rows: B9-MPG-01, B9-MPG-02
  it('states the average vehicle age and miles per year in the fuel-economy answer', () => {
    const economy = answers().find((answer) => answer.includes('miles per gallon'));
    expect(economy).toContain('17 to 24 miles per gallon');
    expect(economy).toContain(
      'the average used vehicle is 12.5 years old and is driven about 15,000 miles per year.',
    );
  });

  it('states the prices of the Pricing tab', () => {
    const [price] = answers({ area: { zip: '60601', radius: 50 } });
    expect(price).toBe(
      'Listings within 50 miles of 60601 ask $25,000 to $61,200, depending on year, trim and mileage.',
    );
  });

  it('states the prices of the searched model year only', () => {
    const [price] = questionsOf('Ford F-150', sampleData, '2021');
    expect(price?.question).toBe('How much does a 2021 Ford F-150 cost?');
    expect(price?.answer).toMatch(/^Listings ask \$25,000 to \$[\d,]+, depending on trim and mileage\.$/);
    expect(price?.answer).not.toContain('$61,200');
    expect(questionsOf('Ford F-150', sampleData, '1999').map(({ question }) => question)).not.toContainEqual(
      expect.stringContaining('cost'),
    );
  });

  it('states the mileage statistics', () => {
    expect(answers()).toEqual(
      expect.arrayContaining([
        'On average 51,240 miles, 4,100 miles less than the average of all used vehicles here.',
        'About 12,600 miles a year, 84% of the usual 15,000 miles. The average for all used vehicles here is 91%.',
        '212,900 miles. The 2012 model year has the highest average (18 listings); the oldest one for sale is from 2012.',
      ]),
    );
  });

  it('asks about price, mileage, fuel economy, trims of the described model year, and seats', () => {
    expect(questionsOf('Ford F-150', sampleData).map(({ question }) => question)).toEqual([
      'How much does a Ford F-150 cost?',
      'How many miles does a used Ford F-150 have?',
      'How many miles a year is a Ford F-150 driven?',
      'What is the highest mileage of a used Ford F-150 for sale?',
      'What is the fuel economy of a Ford F-150?',
      'Which trims does the 2026 Ford F-150 come in?',
      'How many seats does a Ford F-150 have?',
    ]);
  });

  it('omits questions without data', () => {
    expect(answers({ mileage: null, modelInfo: null, modelYearsData: [] })).toEqual([]);
    expect(answers({ mileage: null, modelInfo: null })).toHaveLength(1);
  });

  it('lists the same questions as structured data', () => {
    const questions = questionsOf('Ford F-150', sampleData);
    expect(faqPage(questions)).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'FAQPage',
      mainEntity: questions.map(({ question, answer }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text: answer },
      })),
    });
  });
});
