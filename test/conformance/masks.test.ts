import { describe, expect, test } from 'vitest';
import { isObject, type Json, textOrUndefined } from '../../src/base/json.ts';
import type { Command } from '../../src/cli/command/command.ts';
import { optionGroups } from '../../src/cli/shell/help/help-page.ts';
import { doesOfCommand, doesOfInput } from '../../src/cli/shell/self/list-commands.ts';
import { isSecretName, masked } from '../../src/contract/secrets.ts';
import { allCommands } from '../support/command-lines.ts';
import { writes } from '../support/each-line.ts';
import { logAttempt } from '../support/logged-attempts.ts';
import { openWorld, type Run, type RunOptions, type World } from '../support/world.ts';

/** A command line, and the option that shows secrets. Empty if the command always shows them. */
interface Line {
  readonly of: string;
  readonly by?: string;
  readonly line: string;
  readonly run?: RunOptions;
  readonly prepare?: (world: World) => Promise<unknown>;
  /** The secrets are also on stderr, which is logged even if stdout is not. */
  readonly says?: true;
}

const key = '/v2/accounts/{account_id}/api_key';
const sip = { username: 'desk-1', password: 'Of-the-desk-7' };
const addDevice = (world: World) =>
  world.service('PUT', 'devices', { name: 'Desk', device_type: 'sip_device', sip });
const hook = {
  name: 'crm',
  hook: 'sms',
  uri: 'https://crm.example/in?key=Of-the-hook-8',
  custom_data: { secret: 'Of-the-hook-7' },
};
const addHook = (world: World) => world.service('PUT', 'webhooks', hook);
const disa = { module: 'disa', data: { pin: '48151623' }, children: {} };

/** Every way in which a command shows secrets unmasked. */
const lines: readonly Line[] = [
  { of: 'tokens show', line: 'tokens show' },
  { of: 'accounts api-key show', line: 'accounts api-key show --reveal' },
  { of: 'accounts api-key rotate', line: 'accounts api-key rotate --yes --reveal' },
  { of: 'api', line: `api GET ${key} --reveal` },
  { of: 'api', line: `api POST ${key} --reveal --yes` },
  {
    of: 'users password',
    by: 'generate',
    line: 'users password ann --generate',
    prepare: (world) => world.addUser({ username: 'ann', first_name: 'Ann', last_name: 'A' }),
  },
  {
    of: 'users onboard',
    line: 'users onboard --first-name Fay --last-name F --extension 2014 --softphone --generate --yes',
    says: true,
  },
  { of: 'devices create', by: 'generate', line: 'devices create --name desk --generate' },
  { of: 'devices get', by: 'reveal', line: 'devices get Desk --reveal', prepare: addDevice },
  { of: 'webhooks list', by: 'reveal', line: 'webhooks list --reveal', prepare: addHook },
  {
    of: 'devices patch',
    by: 'reveal',
    line: 'devices patch Desk --set name=Desk2 --reveal',
    prepare: addDevice,
  },
  {
    of: 'webhooks create',
    by: 'secret',
    line: 'webhooks create --name crm --hook sms --uri https://crm.example/in --secret generate',
  },
  { of: 'webhooks get', by: 'reveal', line: 'webhooks get crm --reveal', prepare: addHook },
  {
    of: 'webhooks attempts',
    by: 'reveal',
    line: 'webhooks attempts --reveal',
    prepare: async (world) =>
      logAttempt(world, textOrUndefined((await addHook(world)).id) ?? '', { custom_data: hook.custom_data }),
  },
  {
    of: 'callflows show',
    by: 'reveal',
    line: 'callflows show Disa --reveal',
    prepare: (world) => world.service('PUT', 'callflows', { name: 'Disa', numbers: ['2000'], flow: disa }),
  },
  { of: 'export', by: 'reveal', line: 'export --reveal', prepare: addDevice },
];

/** Commands and options that create, store or read a secret without showing it. */
const silent = [
  'conformance --write',
  'devices provision',
  'tokens refresh',
  'tokens revoke-all',
  'users onboard --generate',
];

/** Returns the strings in a value whose keys name a secret. */
function collectSecrets(value: Json | undefined, isSecret = false): readonly string[] {
  if (typeof value === 'string')
    return (isSecret || value.includes('?key=')) && value !== masked && !value.startsWith('${')
      ? [value]
      : [];
  if (Array.isArray(value)) return value.flatMap((each: Json) => collectSecrets(each, isSecret));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    collectSecrets(each, isSecret || isSecretName(name)),
  );
}

interface Written {
  readonly stream: 'stdout' | 'stderr';
  readonly chunk: string;
}

/** Runs a line in a new world as a job of a CI runner. */
async function runInCi(
  { line, run, prepare }: Line,
  env: Readonly<Record<string, string>>,
  more: RunOptions = {},
) {
  const world = await openWorld();
  await prepare?.(world);
  const written: Written[] = [];
  const wrote = (stream: Written['stream'], chunk: string) => void written.push({ stream, chunk });
  return { run: await world.telctl(`${line} -o json`, { ...run, env, wrote, ...more }), written };
}

const inGitHub = { CI: 'true', GITHUB_ACTIONS: 'true' };
const inGitLab = { CI: 'true', GITLAB_CI: 'true' };
const maskLine = /^::add-mask::(.+)$/;

/** Returns the secrets that were shown before their mask. */
function findUnmasked(secrets: readonly string[], written: readonly Written[]): readonly string[] {
  const masked = new Set<string>();
  const early: string[] = [];
  for (const { stream, chunk } of written)
    for (const line of chunk.split('\n')) {
      const mask = stream === 'stderr' ? maskLine.exec(line)?.[1] : undefined;
      if (mask !== undefined) masked.add(mask);
      else early.push(...secrets.filter((secret) => line.includes(secret) && !masked.has(secret)));
    }
  return early;
}

const secretsInJson = ({ stdout }: Run): readonly string[] => collectSecrets(JSON.parse(stdout) as Json);

describe.each(lines)('in a job, telctl $line', (each) => {
  test('masks each line of a secret before it prints the secret', async () => {
    const { run, written } = await runInCi(each, inGitHub);
    expect(run.code, run.stderr).toBe(0);
    const secrets = secretsInJson(run);
    expect(secrets, run.stdout).not.toEqual([]);
    expect(findUnmasked(secrets, written)).toEqual([]);
    const plain = await runInCi(each, {});
    expect(plain.run.stderr).not.toContain('::add-mask');
  });

  test('is refused on GitLab if the log would show the secret, and accepted if it is written to a file', async () => {
    const { run } = await runInCi(each, inGitLab);
    expect(run.code, run.stderr).toBe(9);
    expect([run.stdout, writes(run)]).toEqual(['', []]);
    expect(run.stderr).toContain('GitLab');
    const kept = await runInCi(each, inGitLab, { outputIsKept: true });
    expect(kept.run.code, kept.run.stderr).toBe(each.says ? 9 : 0);
  });
});

/** Returns the options of a command that show secrets and write no file, except global options. */
async function revealingOptions(command: Command): Promise<readonly string[]> {
  const specs = (await optionGroups(command)).flatMap(([, group]) => Object.values(group));
  return specs
    .filter(
      (spec) => doesOfInput(spec).includes('shows-secrets') && !doesOfInput(spec).includes('writes-files'),
    )
    .map(({ flag }) => flag)
    .filter((flag) => flag !== 'reveal');
}

test('every command and option that shows secrets is listed above', async () => {
  const tried = new Set(lines.flatMap(({ of, by }) => [of, `${of} --${by}`]));
  const missing: string[] = [];
  for (const command of allCommands) {
    const name = command.path.join(' ');
    const options = (await revealingOptions(command)).map((flag) => `${name} --${flag}`);
    const own = doesOfCommand(command).includes('shows-secrets') ? [name] : [];
    missing.push(...[...own, ...options].filter((each) => !tried.has(each)));
  }
  expect(
    missing.filter((each) => !silent.includes(each)),
    'Add each to `lines`, or to `silent` if it shows no secret, in test/conformance/masks.test.ts',
  ).toEqual([]);
});

test('a command that shows no secrets prints no masks and runs on GitLab', async () => {
  const world = await openWorld();
  for (const env of [inGitHub, inGitLab]) {
    const run = await world.telctl('accounts api-key show -o json', { env });
    expect([run.code, run.stderr]).toEqual([0, '']);
  }
});
