import { isObject } from '../../src/base/json.ts';
import { officeWithWebhook } from '../support/small-office.ts';
import type { KillBench } from './kill-gaps.ts';

/** A command that is killed in each of its gaps. */
export interface KillScenario {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Creates the required records. */
  prepare?(bench: KillBench): Promise<void>;
  /** Signs in the profile, which stores the key, instead of using the environment. */
  readonly signsIn?: true;
  readonly line: string;
  /** Commands that a person runs after the kill, until one succeeds. All get the input `stdin`. */
  readonly again: readonly string[];
  readonly stdin?: (bench: KillBench) => string;
  /** The repeated command is refused if the work was complete. */
  readonly isRefusedIfComplete?: true;
  /** Files that only a repeated run writes. */
  readonly filesOfRepeat?: readonly string[];
  /** Compares the content of written files, which is the same in every run. */
  readonly comparesTexts?: true;
  /** Returns further findings at the end. */
  check?(bench: KillBench): Promise<readonly string[]>;
}

/** Creates a record without telctl. */
async function createRecord(
  { sandbox: { call, adminToken, seed } }: KillBench,
  path: string,
  data: Readonly<Record<string, string>>,
): Promise<void> {
  const reply = await call('PUT', `/v2/accounts/${seed.accountId}${path}`, {
    token: await adminToken(),
    data,
  });
  if (reply.status !== 201) throw new Error(reply.text);
}

const createBranch = (bench: KillBench, name: string): Promise<void> =>
  createRecord(bench, '', { name, realm: `${name}.acme.example` });

async function createRecords(bench: KillBench): Promise<void> {
  const user = { username: 'alice', first_name: 'Alice', last_name: 'Archer', password: 'first-sign-in' };
  await createRecord(bench, '/users', user);
  await createRecord(bench, '/menus', { name: 'Main menu' });
  await createRecord(bench, '/webhooks', {
    name: 'CRM',
    uri: 'https://crm.example/hook',
    hook: 'channel_create',
    http_verb: 'post',
  });
}

async function runSuccessfully(bench: KillBench, line: string): Promise<void> {
  const { code, stderr } = await bench.run(line);
  if (code !== 0) throw new Error(`${line} exited with code ${code}: ${stderr}`);
}

/** Checks that a repeated apply finds no changes, which proves that the ledger is complete. */
async function checkNothingToApply(bench: KillBench, line: string): Promise<readonly string[]> {
  const { code, stdout, stderr } = await bench.run(line);
  return code === 0 ? [] : [`${line} exited with code ${code}: ${stdout}${stderr}`];
}

const office = `${officeWithWebhook}limits: { twoway_trunks: 4 }\n`;
const apply = 'apply -f office.yaml --yes --accept-charges-up-to 1000';
const rollout =
  'rollout start -f office.yaml --accounts branches.txt --waves 1,100% --max-change-percent 100 --yes';
const onboard = 'users onboard -f people.csv --credentials phones.csv --yes';
const copy = 'accounts copy acme west --generate-passwords west.csv --yes';

export const killScenarios: readonly KillScenario[] = [
  {
    name: 'apply',
    files: { 'office.yaml': office },
    line: apply,
    again: ['apply --resume --yes --accept-charges-up-to 1000', apply],
    check: (bench) => checkNothingToApply(bench, 'plan -f office.yaml --prune --exit-code'),
  },
  {
    name: 'rollout',
    files: { 'office.yaml': officeWithWebhook, 'branches.txt': 'north\nsouth\n' },
    async prepare(bench) {
      for (const name of ['north', 'south']) await createBranch(bench, name);
    },
    line: rollout,
    again: ['rollout resume 1 --yes', rollout],
  },
  {
    name: 'undo',
    files: { 'office.yaml': officeWithWebhook },
    prepare: (bench) => runSuccessfully(bench, 'apply -f office.yaml --yes'),
    line: 'undo 1 --yes',
    again: ['undo 1 --yes'],
  },
  {
    name: 'onboard',
    files: {
      'people.csv':
        'First name,Last name,Extension,Phone\nAnn,Archer,2201,softphone\nBob,Baker,2202,softphone\n',
    },
    line: onboard,
    again: [`${onboard} --resume`, onboard],
  },
  {
    name: 'accounts copy',
    files: {},
    async prepare(bench) {
      await createBranch(bench, 'west');
      await createRecords(bench);
    },
    line: copy,
    again: [`${copy} --resume`, copy],
    isRefusedIfComplete: true,
  },
  {
    name: 'import',
    files: {
      'people.csv': `username,first_name,last_name\n${['alice', 'bruno', 'carla'].map((each) => `${each},${each},Archer\n`).join('')}`,
    },
    line: 'users import people.csv --generate-passwords --passwords-out new.csv --yes',
    again: [
      'users import people.csv --generate-passwords --passwords-out new.csv --yes --resume',
      'users import people.csv --generate-passwords --passwords-out new.csv --yes',
      'users import people.csv --generate-passwords --passwords-out more.csv --existing skip --yes',
    ],
    filesOfRepeat: ['more.csv'],
  },
  {
    name: 'export',
    files: {},
    prepare: createRecords,
    line: 'export --out acme/ --split objects',
    again: ['export --out acme/ --split objects', 'export --out acme/ --split objects --force'],
    comparesTexts: true,
  },
  {
    name: 'key rotation',
    files: {},
    signsIn: true,
    line: 'accounts api-key rotate --yes',
    // The service shows a new key only once. If the process is killed before it stores the key, a person signs in
    // with the password and reads it.
    again: [
      'accounts api-key rotate --yes',
      'login --profile default --account-name acme --username admin --password-stdin',
    ],
    stdin: ({ sandbox: { seed } }) => seed.adminPassword,
    async check({ sandbox, run }) {
      const shown = await run('accounts api-key show --reveal -o json');
      const value: unknown = shown.code === 0 ? JSON.parse(shown.stdout) : undefined;
      const key = isObject(value) ? value.api_key : undefined;
      if (typeof key !== 'string') return [`the key is lost: ${shown.stderr}`];
      const token = await sandbox.keyToken(key).catch(() => '');
      return token === '' ? ['the key that telctl shows is refused'] : [];
    },
  },
];
