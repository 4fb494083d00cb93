/** What the page shows: an account, one kind of its records, or one record. */
export interface Place {
  readonly accountId?: string | undefined;
  readonly kind?: string | undefined;
  readonly id?: string | undefined;
}

/** The place that an address means. */
export function placeAt(query: URLSearchParams): Place {
  const [accountId, kind, id] = ['account', 'kind', 'id'].map((name) => query.get(name) || undefined);
  return { accountId, kind, id };
}

/** The address of a place. */
export function linkTo({ accountId, kind, id }: Place): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ account: accountId, kind, id }))
    if (value) query.set(name, value);
  return `/?${query}`;
}
