import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bin, runTimed, type World } from './processes.ts';

/** A running sandbox, with everything that a plain script needs to call it. */
export interface Service {
  readonly baseUrl: string;
  readonly token: string;
  readonly accountId: string;
  readonly aliceId: string;
}

const benchUser = (username: string, lastName: string) => ({
  username,
  password: `first-sign-in-${username}`,
  first_name: 'Alice',
  last_name: lastName,
  email: `${username}@acme.example`,
});

export async function telctlJson(world: World, argv: readonly string[]): Promise<Record<string, string>> {
  return JSON.parse((await runTimed([bin, ...argv, '-o', 'json'], world)).stdout);
}

/** Starts a sandbox in memory with one user, alice. */
export async function startService(world: World, options: readonly string[] = []): Promise<Service> {
  await runTimed([bin, 'sandbox', 'start', '--memory', ...options], world);
  const who = await telctlJson(world, ['whoami']);
  const file = join(world.home, 'alice.json');
  writeFileSync(file, JSON.stringify(benchUser('alice', 'Archer')));
  const alice = await telctlJson(world, ['users', 'create', '-f', file]);
  const token = (await runTimed([bin, 'tokens', 'show'], world)).stdout.trim();
  const { base_url: baseUrl, account_id: accountId } = who;
  const { id: aliceId } = alice;
  if (!baseUrl || !accountId || !aliceId) throw new Error('the output of sandbox start is incomplete');
  return { baseUrl, token, accountId, aliceId };
}

export async function stopService(world: World): Promise<void> {
  await runTimed([bin, 'sandbox', 'stop'], world);
}

export const usersUrl = ({ baseUrl, accountId }: Service): string =>
  `${baseUrl}/v2/accounts/${accountId}/users`;
