import { isObject, type Json, type JsonObject, valueAt } from '../../src/base/json.ts';
import type { CalledSandbox } from '../support/called-sandbox.ts';
import { type Claim, claimOf, type End } from '../support/claim.ts';
import { officeWithWebhook } from '../support/small-office.ts';
import type { ExpectedRecord } from './account-state.ts';

/** A command that gets faults, with the records it changes and the way to read its report. */
export interface Job {
  readonly name: string;
  /** Creates the required records without telctl. */
  prepare?(sandbox: CalledSandbox): Promise<void>;
  readonly files?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly argv: readonly string[];
  readonly records: readonly ExpectedRecord[];
  /** Number of charges that the options accept and the job causes. */
  readonly charges: number;
  claim(end: End, expected: ExpectedRecord): Claim;
  /** Command that a person runs after the failure (default: the same command). */
  readonly again?: readonly string[];
  /** Accepted exit codes of the repeated command. */
  readonly againCodes: readonly number[];
}

const user = (username: string, expectedCount: 0 | 1 = 1): ExpectedRecord => ({
  label: `user ${username}`,
  kind: 'users',
  field: 'username',
  value: username,
  expectedCount,
});
const menu = (name: string, expectedCount: 0 | 1): ExpectedRecord => ({
  label: `menu ${name}`,
  kind: 'menus',
  field: 'name',
  value: name,
  expectedCount,
});
const trunks: ExpectedRecord = {
  label: 'limits',
  kind: 'limits',
  field: 'twoway_trunks',
  value: 4,
  expectedCount: 1,
};

const parseJson = (text: string): Json => (text.trim() === '' ? null : JSON.parse(text));

/** Returns all objects in a document, at any depth. */
function objectsIn(value: Json | undefined): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

const claims = new Map<Json | undefined, Claim>([
  ['created', 'done'],
  ['updated', 'done'],
  ['done', 'done'],
  ['found', 'done'],
  ['exists', 'exists'],
  ['unknown', 'unknown'],
]);

/** Returns the claim of an import's row. Without rows, the import did not start. */
function readRowClaim({ stdout }: End, { value }: ExpectedRecord): Claim {
  const row = objectsIn(parseJson(stdout)).find(({ username }) => username === value);
  return claims.get(row?.status) ?? 'not done';
}

/** Returns the claim of a step in the report of an apply. */
const readStepClaim =
  (keys: Readonly<Record<string, string>>): Job['claim'] =>
  ({ stdout }, { label: what }) => {
    const step = objectsIn(parseJson(stdout)).find(({ key }) => key === keys[what]);
    return claims.get(step?.outcome) ?? 'not done';
  };

/** Returns the claim about a record of a bulk create. Created records are on stdout, all others in the error. */
function readRecordClaim({ code, stdout, stderr }: End, expected: ExpectedRecord): Claim {
  const made = objectsIn(parseJson(stdout)).some((record) => record[expected.field] === expected.value);
  if (made || code === 0) return 'done';
  const error = stderr.trim().split('\n').at(-1) ?? '';
  const reported = objectsIn(error.startsWith('{') ? parseJson(error) : null).find(
    ({ record }) => record === expected.label,
  );
  if (reported === undefined) return 'not done';
  if (reported.outcome === 'unknown') return 'unknown';
  return valueAt(reported, 'error.kind') === 'conflict' ? 'exists' : 'not done';
}

/** Creates a record in the account without telctl. */
async function createRecord(
  { call, adminToken, seed }: CalledSandbox,
  path: string,
  data: JsonObject,
): Promise<void> {
  const token = await adminToken();
  const reply = await call('PUT', `/v2/accounts/${seed.accountId}/${path}`, { token, data });
  if (reply.status !== 201) throw new Error(reply.text);
}

const people = ['alice', 'bruno', 'carla'];
const office = `${officeWithWebhook}limits: { twoway_trunks: 4 }\n`;
const officeKeys = {
  'user alice': 'users.alice',
  'menu Main menu': 'menus.main',
  'callflow Main line': 'callflows.main-line',
  'webhook CRM': 'webhooks.crm',
  limits: 'limits',
};

/** The commands that get faults. */
export const jobs: readonly Job[] = [
  {
    name: 'create',
    stdin: 'first-sign-in',
    argv: 'users create --username alice --first-name Alice --last-name Archer --password-stdin --yes'.split(
      ' ',
    ),
    records: [user('alice')],
    charges: 0,
    claim: claimOf,
    againCodes: [0, 6],
  },
  {
    name: 'create many',
    files: {
      'users.json': JSON.stringify(
        people.map((username) => ({
          username,
          first_name: username,
          last_name: 'Archer',
          password: 'first-sign-in',
        })),
      ),
    },
    argv: 'users create -f users.json -o json --yes'.split(' '),
    records: people.map((username) => user(username)),
    charges: 0,
    claim: readRecordClaim,
    againCodes: [0, 6, 8],
  },
  {
    name: 'delete',
    prepare: (sandbox) => createRecord(sandbox, 'menus', { name: 'Main menu' }),
    argv: ['menus', 'delete', 'Main menu', '--yes'],
    records: [menu('Main menu', 0)],
    charges: 0,
    claim: claimOf,
    againCodes: [0, 5],
  },
  {
    name: 'limits',
    argv: 'limits set --twoway-trunks 4 --accept-charges-up-to 1000'.split(' '),
    records: [trunks],
    charges: 1,
    claim: claimOf,
    againCodes: [0],
  },
  {
    name: 'limits unasked',
    argv: 'limits set --twoway-trunks 4 --yes'.split(' '),
    records: [{ ...trunks, expectedCount: 0 }],
    charges: 0,
    claim: () => 'done',
    againCodes: [7],
  },
  {
    name: 'import',
    files: {
      'people.csv': `username,first_name,last_name,password\n${people
        .map((username) => `${username},${username},Archer,first-sign-in\n`)
        .join('')}`,
    },
    argv: 'users import people.csv --yes -o json'.split(' '),
    records: people.map((username) => user(username)),
    charges: 0,
    claim: readRowClaim,
    again: 'users import people.csv --existing skip --yes -o json'.split(' '),
    againCodes: [0],
  },
  {
    name: 'apply',
    files: { 'office.yaml': office },
    argv: 'apply -f office.yaml --yes --accept-charges-up-to 1000 -o json'.split(' '),
    records: [
      user('alice'),
      menu('Main menu', 1),
      { label: 'callflow Main line', kind: 'callflows', field: 'name', value: 'Main line', expectedCount: 1 },
      { label: 'webhook CRM', kind: 'webhooks', field: 'name', value: 'CRM', expectedCount: 1 },
      trunks,
    ],
    charges: 1,
    claim: readStepClaim(officeKeys),
    againCodes: [0],
  },
];
