import { isObject, type JsonObject, valueAt } from '../../../base/json.ts';
import { accountOf, type ServiceRequest } from '../requests/service-request.ts';
import type { Key, RecordName, StoredRecord } from '../store/store.ts';

export type TaskRow = Readonly<Record<string, string>>;

export interface TaskOutcome {
  readonly columns: readonly string[];
  readonly rows: readonly TaskRow[];
  readonly failed: number;
}

export interface TaskAction {
  readonly description: string;
  /** Required columns. Missing if the action has no input. */
  readonly mandatory?: readonly string[];
  readonly optional?: readonly string[];
  readonly run: (call: ServiceRequest, rows: readonly TaskRow[]) => Promise<TaskOutcome>;
}

/** Conventions, Tasks. */
const numberColumns = [
  'e164',
  'account_name',
  'account_id',
  'previously_assigned_to',
  'state',
  'created',
  'modified',
  'used_by',
  'ported_in',
  'carrier_module',
  'cnam.inbound',
  'cnam.outbound',
  'e911.locality',
  'e911.name',
  'e911.region',
  'e911.street_address',
  'e911.extended_address',
  'e911.postal_code',
  'prepend.enabled',
  'prepend.name',
  'prepend.number',
  'ringback.early',
  'ringback.transfer',
  'force_outbound',
  'failover.e164',
  'failover.sip',
];

const callColumns = [
  'id',
  'call_id',
  'caller_id_number',
  'caller_id_name',
  'callee_id_number',
  'callee_id_name',
  'duration_seconds',
  'billing_seconds',
  'timestamp',
  'hangup_cause',
  'other_leg_call_id',
  'to',
  'from',
];

const cellText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

const toTaskRow = (columns: readonly string[], body: JsonObject): TaskRow =>
  Object.fromEntries(columns.map((column) => [column, cellText(valueAt(body, column))]));

const listAll = (
  { services: { store } }: ServiceRequest,
  { kind, scope }: Omit<RecordName, 'id'>,
  key?: Key,
) => store.list({ kind, scope, key });

const accountNumbers = (call: ServiceRequest): Promise<readonly StoredRecord[]> =>
  listAll(call, { kind: 'numbers', scope: '' }, { field: 'account', value: accountOf(call).id });

const numberRow = (call: ServiceRequest, { id, body, createdAt, modifiedAt }: StoredRecord): TaskRow => {
  const account = accountOf(call);
  const own = { e164: id, account_id: account.id, account_name: account.body.name ?? '' };
  return toTaskRow(numberColumns, {
    created: createdAt,
    modified: modifiedAt,
    ...body,
    ...own,
    cnam: {
      inbound: valueAt(body, 'cnam.inbound_lookup') ?? '',
      outbound: valueAt(body, 'cnam.display_name') ?? '',
    },
  });
};

const listNumbers: TaskAction['run'] = async (call) => ({
  columns: numberColumns,
  rows: (await accountNumbers(call)).map((record) => numberRow(call, record)),
  failed: 0,
});

const findNumbers: TaskAction['run'] = async (call, rows) => {
  const known = new Map((await accountNumbers(call)).map((record) => [record.id, record]));
  const found = rows.map(({ e164 = '' }): TaskRow => {
    const record = known.get(e164);
    return record ? { ...numberRow(call, record), error: '' } : { e164, error: 'not_found' };
  });
  return {
    columns: [...numberColumns, 'error'],
    rows: found,
    failed: found.filter(({ error }) => error !== '').length,
  };
};

const dumpCalls: TaskAction['run'] = async (call) => {
  const legs = await listAll(call, { kind: 'cdrs', scope: accountOf(call).id });
  const rows = legs.toReversed().map(({ id, body }) => toTaskRow(callColumns, { ...body, id }));
  return { columns: callColumns, rows, failed: 0 };
};

/** Actions by category. Real services have more. */
const taskActions: Readonly<Record<string, Readonly<Record<string, TaskAction>>>> = {
  number_management: {
    list: { description: 'List the numbers of the account', run: listNumbers },
    find: { description: 'Find numbers of the account', mandatory: ['e164'], run: findNumbers },
  },
  billing: { dump: { description: 'List the calls of the month, newest first', run: dumpCalls } },
};

export const taskAction = (category: string, action: string): TaskAction | undefined => {
  const actions = Object.hasOwn(taskActions, category) ? taskActions[category] : undefined;
  return actions && Object.hasOwn(actions, action) ? actions[action] : undefined;
};

export const describedActions = (): JsonObject =>
  Object.fromEntries(
    Object.entries(taskActions).map(([category, actions]) => [
      category,
      Object.fromEntries(
        Object.entries(actions).map(([action, { description, mandatory, optional }]) => [
          action,
          {
            description,
            doc: description,
            ...(mandatory ? { expected_content: 'text/csv', mandatory: [...mandatory] } : {}),
            ...(optional ? { optional: [...optional] } : {}),
          },
        ]),
      ),
    ]),
  );

/** Flattens a record. Nested names are joined by dots. */
export function flatRow(record: JsonObject, above = ''): TaskRow {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]): readonly (readonly [string, string])[] =>
      isObject(value)
        ? Object.entries(flatRow(value, `${above}${key}.`))
        : [[`${above}${key}`, cellText(value)]],
    ),
  );
}
