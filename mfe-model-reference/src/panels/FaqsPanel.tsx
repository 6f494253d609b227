import type { CSSProperties, ReactNode } from 'react';
import { AVERAGE_MILES_PER_YEAR, type MileageFaq } from '../data/mileageFaq.ts';
import styles from './FaqsPanel.module.css';
import { formatCount, formatDollars, formatNumber } from '@forecourt/search/format';
import type { ReferenceData } from '../data/loadReference.ts';

/** Years; average age of a used vehicle in the fuel-economy text. */
const AVERAGE_USED_AGE_YEARS = 12.5;

export interface Question {
  readonly question: string;
  /** Plain text: also sent to search engines as JSON-LD. */
  readonly answer: string;
}

const miles = (count: number) => `${formatNumber(count)} miles`;

function mileageQuestions(name: string, mileage: MileageFaq): Question[] {
  const { averageMiles, difference, mileagePerYearMean, mileageMax, minYear } = mileage;
  const beside =
    difference === 0
      ? 'the same as the average of all used vehicles here'
      : `${miles(Math.abs(difference))} ${difference > 0 ? 'more' : 'less'} than the average of all used vehicles here`;
  return [
    {
      question: `How many miles does a used ${name} have?`,
      answer: `On average ${miles(averageMiles)}, ${beside}.`,
    },
    {
      question: `How many miles a year is a ${name} driven?`,
      answer:
        `About ${miles(mileagePerYearMean)} a year, ${mileage.percentModel}% of the usual ${miles(AVERAGE_MILES_PER_YEAR)}. ` +
        `The average for all used vehicles here is ${mileage.percentAllCar}%.`,
    },
    {
      question: `What is the highest mileage of a used ${name} for sale?`,
      answer:
        `${miles(mileageMax)}. The ${mileage.highestMileageName} model year has the highest average ` +
        `(${formatCount(mileage.highestMileageCount, 'listing')}); the oldest one for sale is from ${minYear}.`,
    },
  ];
}

/** The fuel-economy text states the two reference figures and calculates nothing. */
function economyQuestion(name: string, mpg: { min: number; max: number }, isElectric: boolean): Question {
  const unit = isElectric ? 'miles per gallon equivalent' : 'miles per gallon';
  const range = mpg.min === mpg.max ? String(mpg.min) : `${mpg.min} to ${mpg.max}`;
  return {
    question: `What is the fuel economy of a ${name}?`,
    answer:
      `${range} ${unit} in combined driving, depending on engine and drive. For comparison, the average used vehicle is ` +
      `${AVERAGE_USED_AGE_YEARS} years old and is driven about ${miles(AVERAGE_MILES_PER_YEAR)} per year.`,
  };
}

const rangeText = (low: number, high: number) =>
  low === high ? formatDollars(low) : `${formatDollars(low)} to ${formatDollars(high)}`;

/** The same prices as in the Pricing tab. */
function priceQuestion(
  name: string,
  { modelYearsData, area }: ReferenceData,
  year: string | undefined,
): Question | undefined {
  const shownYears = modelYearsData.filter(({ value }) => year === undefined || value === year);
  const lows = shownYears.flatMap(({ startingPrice }) => startingPrice ?? []);
  const highs = shownYears.flatMap(({ maxPrice }) => maxPrice ?? []);
  if (lows.length === 0 || highs.length === 0) return undefined;
  const place = area ? ` within ${area.radius} miles of ${area.zip}` : '';
  return {
    question: `How much does a ${[year, name].filter(Boolean).join(' ')} cost?`,
    answer:
      `Listings${place} ask ${rangeText(Math.min(...lows), Math.max(...highs))}, ` +
      `depending on ${year === undefined ? 'year, ' : ''}trim and mileage.`,
  };
}

/** Questions about a model, answered from the section's data; `year` is that of a search for one model year. */
export function questionsOf(name: string, data: ReferenceData, year?: string): readonly Question[] {
  const { mileage, modelInfo } = data;
  const isElectric = modelInfo?.fuelTypes.every(({ code }) => code === 'ELE') ?? false;
  const trimNames = modelInfo?.trims.map((trim) => trim.name) ?? [];
  const seats = modelInfo?.seats;
  return [
    priceQuestion(name, data, year),
    ...(mileage ? mileageQuestions(name, mileage) : []),
    modelInfo?.mpg && economyQuestion(name, modelInfo.mpg, isElectric),
    modelInfo &&
      trimNames.length > 1 && {
        question: `Which trims does the ${modelInfo.year} ${name} come in?`,
        answer: `${trimNames.slice(0, -1).join(', ')} and ${trimNames.at(-1)}.`,
      },
    seats && {
      question: `How many seats does a ${name} have?`,
      answer:
        seats.min === seats.max
          ? `${seats.max}.`
          : `${seats.min} to ${seats.max}, depending on trim and body.`,
    },
  ].filter((question): question is Question => Boolean(question));
}

/** The questions as https://schema.org/FAQPage. */
export const faqPage = (questions: readonly Question[]): object => ({
  '@context': 'https://schema.org',
  '@type': 'FAQPage',
  mainEntity: questions.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
});

/** A thousandth of the width is less than a pixel. */
const rounded = (share: number) => Math.round(share * 1000) / 1000;

interface SharesProps {
  readonly shares: MileageFaq['facetStatsCalculate'];
  readonly title: string;
}

/** One bar per model year, with its share of the listings. */
function MileageChart({ shares, title }: SharesProps): ReactNode {
  const most = Math.max(...shares.map(({ percent }) => percent));
  return (
    <figure className={styles['figure']}>
      <figcaption className={styles['title']}>{title}</figcaption>
      <ul className={styles['bars']}>
        {shares.map(({ name, percent }) => (
          <li key={name} style={{ '--share': most === 0 ? 0 : rounded(percent / most) } as CSSProperties}>
            {name}
            <span>{`${percent}%`}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** What search engines and browsers without JavaScript get of the chart in a tab that isn't selected. */
const MileageText = ({ shares, title }: SharesProps): ReactNode => (
  <p>{`${title}: ${shares.map(({ name, percent }) => `${name} ${percent}%`).join(', ')}.`}</p>
);

/** Questions and answers, and the distribution of used listings over model years. */
export function FaqsPanel(props: {
  name: string;
  questions: readonly Question[];
  mileage: MileageFaq | null;
  isSelected: boolean;
}): ReactNode {
  const { name, questions, mileage, isSelected } = props;
  const Shares = isSelected ? MileageChart : MileageText;
  return (
    <div className={styles['faqs']}>
      <div>
        {questions.map(({ question, answer }, at) => (
          <details key={question} className={styles['question']} open={at === 0}>
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
      {mileage && mileage.facetStatsCalculate.length > 1 && (
        <Shares shares={mileage.facetStatsCalculate} title={`Used ${name} listings by model year`} />
      )}
    </div>
  );
}
