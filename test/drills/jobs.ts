import { isObject, type Json, type JsonObject, valueAt } from '../../src/base/json.ts';
import type { CalledSandbox } from '../support/called-sandbox.ts';
import { type Claim, claimOf, type End } from '../support/claim.ts';
import { officeWithWebhook } from '../support/small-office.ts';
import type { Deed } from './account-state.ts';

/** A command that is struck, with what it does and how it is read. */
export interface Job {
  readonly name: string;
  /** Makes what has to be there before, past telctl. */
  prepare?(sandbox: CalledSandbox): Promise<void>;
  readonly files?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly argv: readonly string[];
  readonly deeds: readonly Deed[];
  /** Charges that its options accept, and that its deeds bring. */
  readonly charges: number;
  claim(end: End, deed: Deed): Claim;
  /** Command of a person after it went wrong; the command itself where left out. */
  readonly again?: readonly string[];
  /** Exit codes with which the repeated command may end. */
  readonly againCodes: readonly number[];
}

const user = (username: string, wished: 0 | 1 = 1): Deed => ({
  what: `user ${username}`,
  kind: 'users',
  field: 'username',
  value: username,
  wished,
});
const menu = (name: string, wished: 0 | 1): Deed => ({
  what: `menu ${name}`,
  kind: 'menus',
  field: 'name',
  value: name,
  wished,
});
const trunks: Deed = { what: 'limits', kind: 'limits', field: 'twoway_trunks', value: 4, wished: 1 };

const parsed = (text: string): Json => (text.trim() === '' ? null : JSON.parse(text));

/** The objects in a document, wherever they stand. */
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

/** Claims of an import's rows. Without any, nothing was begun. */
function claimOfRow({ stdout }: End, { value }: Deed): Claim {
  const row = objectsIn(parsed(stdout)).find(({ username }) => username === value);
  return claims.get(row?.status) ?? 'not done';
}

/** Claims of the report of an apply. */
const claimOfStep =
  (keys: Readonly<Record<string, string>>): Job['claim'] =>
  ({ stdout }, { what }) => {
    const step = objectsIn(parsed(stdout)).find(({ key }) => key === keys[what]);
    return claims.get(step?.outcome) ?? 'not done';
  };

/** Claims of a bulk create: created records on stdout, the others in the error. */
function claimOfRecord({ code, stdout, stderr }: End, deed: Deed): Claim {
  const made = objectsIn(parsed(stdout)).some((record) => record[deed.field] === deed.value);
  if (made || code === 0) return 'done';
  const error = stderr.trim().split('\n').at(-1) ?? '';
  const told = objectsIn(error.startsWith('{') ? parsed(error) : null).find(
    ({ record }) => record === deed.what,
  );
  if (told === undefined) return 'not done';
  if (told.outcome === 'unknown') return 'unknown';
  return valueAt(told, 'error.kind') === 'conflict' ? 'exists' : 'not done';
}

/** Puts a record into the account past telctl. */
async function put({ call, adminToken, seed }: CalledSandbox, path: string, data: JsonObject): Promise<void> {
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

/** The commands that are struck. */
export const jobs: readonly Job[] = [
  {
    name: 'create',
    stdin: 'first-sign-in',
    argv: 'users create --username alice --first-name Alice --last-name Archer --password-stdin --yes'.split(
      ' ',
    ),
    deeds: [user('alice')],
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
    deeds: people.map((username) => user(username)),
    charges: 0,
    claim: claimOfRecord,
    againCodes: [0, 6, 8],
  },
  {
    name: 'delete',
    prepare: (sandbox) => put(sandbox, 'menus', { name: 'Main menu' }),
    argv: ['menus', 'delete', 'Main menu', '--yes'],
    deeds: [menu('Main menu', 0)],
    charges: 0,
    claim: claimOf,
    againCodes: [0, 5],
  },
  {
    name: 'limits',
    argv: 'limits set --twoway-trunks 4 --accept-charges-up-to 1000'.split(' '),
    deeds: [trunks],
    charges: 1,
    claim: claimOf,
    againCodes: [0],
  },
  {
    name: 'limits unasked',
    argv: 'limits set --twoway-trunks 4 --yes'.split(' '),
    deeds: [{ ...trunks, wished: 0 }],
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
    deeds: people.map((username) => user(username)),
    charges: 0,
    claim: claimOfRow,
    again: 'users import people.csv --existing skip --yes -o json'.split(' '),
    againCodes: [0],
  },
  {
    name: 'apply',
    files: { 'office.yaml': office },
    argv: 'apply -f office.yaml --yes --accept-charges-up-to 1000 -o json'.split(' '),
    deeds: [
      user('alice'),
      menu('Main menu', 1),
      { what: 'callflow Main line', kind: 'callflows', field: 'name', value: 'Main line', wished: 1 },
      { what: 'webhook CRM', kind: 'webhooks', field: 'name', value: 'CRM', wished: 1 },
      trunks,
    ],
    charges: 1,
    claim: claimOfStep(officeKeys),
    againCodes: [0],
  },
];
