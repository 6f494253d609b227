import type { ConsumerRatings } from '@forecourt/marketplace-api/callTypes';
import { steady, steadyPick } from '../inventory/random.ts';
import type { ReferenceVehicle } from './vehicles.ts';

const ASPECTS = ['Value', 'Performance', 'Quality', 'Comfort', 'Reliability', 'Styling'] as const;
type Aspect = (typeof ASPECTS)[number];

/** Reviews with text. */
const SHOWN = 5;
/** Reviews per thousand sold, and the most of one vehicle. */
const REVIEWS_PER_THOUSAND = 0.9;
const MAX_REVIEWS = 640;
/** Fewer reviews have no meaningful average. */
const MIN_REVIEWS = 3;

/** Stars from which a review is positive. */
const PRAISE_FROM = 4;

const NAMES = [
  'Marcus',
  'Elena',
  'Priya',
  'Tom',
  'Grace',
  'Luis',
  'Hannah',
  'Dev',
  'Rosa',
  'Ian',
  'Kim',
  'Noah',
];
const INITIALS = 'ABCDEFGHJKLMPRSTW';

const PRAISE: Readonly<Record<Aspect, readonly string[]>> = {
  Value: [
    'I compared five others, and none offered as much for the money.',
    'It has kept its price better than I expected.',
  ],
  Performance: [
    'Merging on the highway is never a worry.',
    'It is quicker than it looks and steady in corners.',
  ],
  Quality: ['Nothing rattles after three winters.', 'Doors, switches and seats still feel new.'],
  Comfort: [
    'My back is fine after six hours at the wheel.',
    'The cabin is quiet and the seats fit the whole family.',
  ],
  Reliability: [
    'Oil, tires, brakes: that is all it ever needed.',
    'Not one unplanned visit to the shop so far.',
  ],
  Styling: ['Neighbors still ask what it is.', 'It looks right from every side.'],
};
const COMPLAINT: Readonly<Record<Aspect, readonly string[]>> = {
  Value: ['The options that you want add up quickly.', 'Insurance costs more than I had planned.'],
  Performance: ['Fully loaded it has to work hard uphill.', 'The transmission hunts for gears now and then.'],
  Quality: ['Some of the plastics scratch easily.', 'The trim around the console creaks when it is cold.'],
  Comfort: ['Road noise on concrete is tiring.', 'Tall people in the back will complain.'],
  Reliability: ['A sensor failed twice in the first year.', 'The battery gave up early.'],
  Styling: ['The front is a matter of taste.', 'I would have liked more colors.'],
};
const USES = [
  'I commute in it every day.',
  'We have two kids and a dog.',
  'I use it for work.',
  'It’s my weekend car.',
  'It’s our only car.',
  'I bought it for long trips.',
];

const round1 = (value: number) => Math.round(value * 10) / 10;
const clamp = (value: number) => Math.max(1, Math.min(5, value));

/** Rating of an aspect, the same for all trims of a design. */
function ratingOf({ make, model, year }: ReferenceVehicle, aspect: Aspect): number {
  const design = Math.floor(year / 6);
  const base = 3.55 + steady('owners', make.code, model.code, design) * 0.95;
  return round1(clamp(base + (steady('owners', aspect, make.code, model.code, design) - 0.5) * 1.1));
}

function reviewOf(vehicle: ReferenceVehicle, index: number): ConsumerRatings['reviews'][number] {
  const { year, make, model } = vehicle;
  const key = [make.code, model.code, year, index] as const;
  const mean = ASPECTS.reduce((sum, aspect) => sum + ratingOf(vehicle, aspect), 0) / ASPECTS.length;
  const rating = Math.round(clamp(mean + (steady('review', ...key) - 0.5) * 2));
  const liked = steadyPick(ASPECTS, 'liked', ...key);
  const disliked = steadyPick(
    ASPECTS.filter((aspect) => aspect !== liked),
    'disliked',
    ...key,
  );
  const isPraise = rating >= PRAISE_FROM;
  const sentences = [
    steadyPick(USES, 'use', ...key),
    steadyPick(PRAISE[liked], 'praise', ...key),
    ...(rating === 5 ? [] : [steadyPick(COMPLAINT[disliked], 'complaint', ...key)]),
  ];
  const month = 1 + Math.floor(steady('month', ...key) * 12);
  const day = 1 + Math.floor(steady('day', ...key) * 28);
  // Dated the year before, when the model year goes on sale, so that no review is from the future.
  const writtenOn = `${year - 1}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return {
    title: isPraise ? `Impressed by the ${liked.toLowerCase()}` : `${disliked} could be better`,
    author: `${steadyPick(NAMES, 'name', ...key)} ${steadyPick([...INITIALS], 'initial', ...key)}.`,
    date: writtenOn,
    rating,
    text: sentences.join(' '),
  };
}

/** Owners' ratings; empty for rarely sold vehicles. */
export function consumerRatingsOf(vehicle: ReferenceVehicle): ConsumerRatings {
  const { make, model, year } = vehicle;
  const expected =
    model.yearlySales * REVIEWS_PER_THOUSAND * (0.5 + steady('count', make.code, model.code, year));
  const numberOfReviews = Math.min(MAX_REVIEWS, Math.round(expected));
  if (numberOfReviews < MIN_REVIEWS) return { ratings: [], numberOfReviews: 0, reviews: [] };
  const ratings = ASPECTS.map((aspect) => ({ name: aspect as string, value: ratingOf(vehicle, aspect) }));
  const overall = round1(ratings.reduce((sum, { value }) => sum + value, 0) / ratings.length);
  return {
    ratings: [{ name: 'Overall Rating', value: overall }, ...ratings],
    numberOfReviews,
    reviews: Array.from({ length: Math.min(SHOWN, numberOfReviews) }, (_, index) => reviewOf(vehicle, index)),
  };
}
