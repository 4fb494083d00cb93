import type { Operation } from './types.ts';

/** Path or query parameter by which an operation takes the account that it acts on. */
export const accountParameter = 'account_id';

/** True for an operation that takes its account from the query, and acts on the caller's without it. */
export const takesAccountInQuery = ({ query = [] }: Pick<Operation, 'query'>): boolean =>
  query.some(({ name }) => name === accountParameter);

/** True for an operation that acts on an account of the caller's choice. */
export const namesAccount = (operation: Pick<Operation, 'path' | 'query'>): boolean =>
  operation.path.includes(`{${accountParameter}}`) || takesAccountInQuery(operation);
