import { describe, expect, it } from 'vitest';
import { operations } from '../../src/contract/catalogue.ts';
import type { Operation } from '../../src/contract/types.ts';
import { operationTables, type Row } from './operation-tables.ts';

const formatOperation = ({ method, path, prefix, query = [], body }: Operation) => {
  const required = query.filter((parameter) => parameter.required).map(({ name }) => `${name}=<${name}>`);
  const action = body?.kind === 'action' ? ` ${body.action}` : '';
  const question = required.length > 0 ? `?${required.join('&')}` : '';
  return `${method} ${prefix === 'always' ? '/v2' : ''}${path}${question}${action}`;
};

const formatRow = ({ method, path, action }: Row) => `${method} ${path}${action ? ` ${action}` : ''}`;

const byRow = new Map(operations.map((operation) => [formatOperation(operation), operation]));
const rows = operationTables.flatMap(({ title, errors, rows: inTable }) =>
  inTable.map((row) => ({ ...row, name: formatRow(row), section: `Endpoints, ${title}`, errors })),
);

/** A row of the authentication table that is an ordinary change of a user and has ordinary responses. */
const ordinaryRow = 'PATCH /accounts/{account_id}/users/{user_id}';

describe('the contract compared with the tables of the specification', () => {
  it.each(rows)('has $name, documented in its section', ({ name, section }) => {
    expect(byRow.get(name)).toMatchObject({ source: 'specification', section });
  });

  it('marks only listed operations as documented', () => {
    const listed = new Set(rows.map(({ name }) => name));
    const documented = operations.filter(({ source }) => source === 'specification').map(formatOperation);
    expect(documented.filter((name) => !listed.has(name))).toEqual([]);
    expect(documented).toHaveLength(rows.length);
  });

  it.each(rows.filter(({ name }) => name !== ordinaryRow))(
    'returns the error body of its group: $name',
    ({ name, errors }) => {
      expect(byRow.get(name)?.errors).toBe(errors);
    },
  );

  it('sends a token with every request except the two sign-ins', () => {
    const without = operations.filter(({ authenticated }) => !authenticated).map(formatOperation);
    expect(without).toEqual(rows.filter((row) => row.withoutToken).map(({ name }) => name));
  });

  it('restricts to super administrators what the tables restrict', () => {
    const kept = operations
      .filter(({ role, source }) => role === 'super' && source === 'specification')
      .map(formatOperation);
    expect(kept.toSorted()).toEqual(
      rows
        .filter((row) => row.superOnly)
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it.each(rows)('sends $name as its row shows', ({ name, request }) => {
    const body = byRow.get(name)?.body;
    if (request === 'none') expect(body).toBeUndefined();
    else if (request === 'action') expect(body?.kind).toBe('action');
    else expect(body?.kind).toMatch(/^(record|partial|value)$/);
  });
});
