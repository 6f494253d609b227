import { describe, expect, it } from '@jest/globals';
import { sampleData } from '../testing/sampleData.ts';
import { faqPage, questionsOf } from './questions.ts';

const answers = (changes: Partial<typeof sampleData> = {}) =>
  questionsOf('Ford F-150', { ...sampleData, ...changes }).map(({ answer }) => answer);

describe('FAQs', () => {
  // rows: B9-MPG-01, B9-MPG-02
  it('states the average vehicle age and miles per year in the fuel-economy answer', () => {
    const economy = answers().find((answer) => answer.includes('miles per gallon'));
    expect(economy).toContain('17 to 24 miles per gallon');
    expect(economy).toContain('12.5 years');
    expect(economy).toContain('15,000 miles per year');
  });

  it('states the prices of the Pricing tab', () => {
    const [price] = answers({ area: { zip: '60601', radius: 50 } });
    expect(price).toBe(
      'Listings within 50 miles of 60601 ask $25,000 to $61,200, depending on year, trim and mileage.',
    );
  });

  it('states the mileage statistics', () => {
    expect(answers()).toEqual(
      expect.arrayContaining([
        'On average 51,240 miles, 4,100 miles less than the average of all used vehicles here.',
        expect.stringContaining('About 12,600 miles a year, 84% of the usual 15,000 miles.'),
        expect.stringMatching(/^212,900 miles\. .*2012 with 18 listings; .* of 2012\.$/),
      ]),
    );
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
