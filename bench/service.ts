import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bin, timed, type World } from './processes.ts';

/** A sandbox that runs for the benchmarks, and what a plain script needs to speak to it. */
export interface Service {
  readonly baseUrl: string;
  readonly token: string;
  readonly accountId: string;
  readonly aliceId: string;
}

/** A user as the benchmarks create them. */
const benchUser = (username: string, lastName: string) => ({
  username,
  password: `first-sign-in-${username}`,
  first_name: 'Alice',
  last_name: lastName,
  email: `${username}@acme.example`,
});

/** Runs telctl and parses what it prints. */
export async function telctlJson(world: World, argv: readonly string[]): Promise<Record<string, string>> {
  return JSON.parse((await timed([bin, ...argv, '-o', 'json'], world)).stdout);
}

/** Starts a sandbox in memory with one user, alice. */
export async function startService(world: World, options: readonly string[] = []): Promise<Service> {
  await timed([bin, 'sandbox', 'start', '--memory', ...options], world);
  const who = await telctlJson(world, ['whoami']);
  const file = join(world.home, 'alice.json');
  writeFileSync(file, JSON.stringify(benchUser('alice', 'Archer')));
  const alice = await telctlJson(world, ['users', 'create', '-f', file]);
  const token = (await timed([bin, 'tokens', 'show'], world)).stdout.trim();
  const { base_url: baseUrl, account_id: accountId } = who;
  const { id: aliceId } = alice;
  if (!baseUrl || !accountId || !aliceId) throw new Error('the sandbox did not say what it is');
  return { baseUrl, token, accountId, aliceId };
}

export async function stopService(world: World): Promise<void> {
  await timed([bin, 'sandbox', 'stop'], world);
}

export const usersUrl = ({ baseUrl, accountId }: Service): string =>
  `${baseUrl}/v2/accounts/${accountId}/users`;
