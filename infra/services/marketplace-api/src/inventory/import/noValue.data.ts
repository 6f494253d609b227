/**
 * Words that stand for no value, by where they come from, in lower case and without the brackets, dashes and points around
 * them. Before any other rule, a cell with nothing else counts as empty.
 */
export const NO_VALUE_WORDS = {
  /** Error values of Excel and Google Sheets (support.microsoft.com, "ERROR.TYPE function"). */
  spreadsheets:
    '#n/a #ref! #value! #name? #div/0! #null! #num! #spill! #calc! #getting_data #error! #blocked! ####',
  /** SQL, its exports (MySQL and PostgreSQL write \N) and tools; .NET, Java and JavaScript objects written as text. */
  databases: 'null nil \\n system.dbnull dbnull undefined nan 0000-00-00 0000-00-00_00:00:00',
  /** What pandas reads as missing (pandas.read_csv, na_values), R's NA and Python's None. */
  analysis: 'na n/a #na #n/a_n/a -nan 1.#ind -1.#ind 1.#qnan -1.#qnan none',
  /** Words of people and of dealers' systems; the National Motor Vehicle Title Information System writes N/A and UNKNOWN. */
  people:
    'n.a n\\a not_available not_applicable not_specified not_provided not_listed not_given unavailable unspecified unknown unk tbd tba to_be_determined no_data nodata no_value blank empty missing xxx xxxx please_select select select_one choose',
} as const;

/** Words that stand for no value in one kind of field only. */
export const NO_VALUE_WORDS_OF_FIELDS: Readonly<Partial<Record<string, string>>> = {
  vin: '0 novin no_vin pending on_file',
  stockNumber: '0 no_stock nostock pending',
  year: '0',
  make: 'other make misc 0',
  model: 'other model misc 0',
  trim: 'other trim base_trim 0',
  bodyStyle: 'other 0',
  fuel: 'other 0',
  drive: 'other 0',
  transmission: 'other 0',
  engine: 'other engine 0',
  cylinders: '0',
  doors: '0',
  seats: '0',
  extColor: 'other no_color custom 0',
  intColor: 'other no_color custom 0',
  photoUrls: '0 no_photo no_image nophoto noimage',
  listedOn: '0',
  sellerName: '0',
  sellerPhone: '0 no_phone',
  sellerWebsite: '0 no_website http:// https://',
  sellerAddress: '0 no_address',
  city: '0',
  state: '0',
  zip: '0 00000',
};
