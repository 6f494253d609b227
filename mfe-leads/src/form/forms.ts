/** Forms whose fields are checked in the browser, by the schema of the call that sends them. */
export type FormName =
  | 'emailOwner'
  | 'makeOffer'
  | 'shareListing'
  | 'reportListing'
  | 'emailCapture'
  | 'renameBookmark'
  | 'wallet';

/** Error of each wrong field, by its name. */
export type FieldErrors = Readonly<Record<string, string | undefined>>;

export type Check = (form: FormName, body: unknown) => FieldErrors;

/** The check of the fields; when its code cannot be fetched, the server's own check has to do. */
export const loadCheck = (): Promise<Check> =>
  import('./checks.ts').then(
    ({ errorsOf }) => errorsOf,
    () => () => ({}),
  );
