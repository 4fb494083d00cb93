/** What the page shows: an account, one kind of its records, one record, or the log. */
export interface Place {
  readonly accountId?: string | undefined;
  readonly kind?: string | undefined;
  readonly id?: string | undefined;
  /** Which entries of the log: `all`, `failed`, `requests` or `deliveries`. */
  readonly log?: string | undefined;
  /** Words that what is listed must have. */
  readonly find?: string | undefined;
  /** Where a list goes on, in the list's own words. */
  readonly from?: string | undefined;
}

/** The parts of a place and what the address calls them. */
const names = {
  accountId: 'account',
  kind: 'kind',
  id: 'id',
  log: 'log',
  find: 'find',
  from: 'from',
} as const satisfies Record<keyof Place, string>;

/** The place that an address means. */
export const placeAt = (query: URLSearchParams): Place =>
  Object.fromEntries(Object.entries(names).map(([part, name]) => [part, query.get(name) || undefined]));

/** The address of a place. */
export function linkTo(place: Place): string {
  const parts: Readonly<Record<string, string | undefined>> = { ...place };
  const query = new URLSearchParams();
  for (const [part, name] of Object.entries(names)) {
    const value = parts[part];
    if (value) query.set(name, value);
  }
  return `/?${query}`;
}
