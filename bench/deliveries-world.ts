import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../src/sandbox/store/store.ts';
import { bin, makeWorld, removeWorld, timed, type World, yardstick } from './processes.ts';
import { telctlJson } from './service.ts';

/** How a receiver of the benchmarks did. */
interface Count {
  readonly count: number;
  /** Between the first request and the last. */
  readonly ms: number;
}

/** A receiver in a process of its own. */
export interface BenchReceiver {
  readonly url: string;
  /** Waits until so many requests came, and says how long they took. */
  until(count: number): Promise<Count>;
  bodies(): Promise<readonly string[]>;
  forget(): Promise<void>;
  close(): void;
}

const json = async (url: string) => (await fetch(url)).json();

export async function startReceiver(): Promise<BenchReceiver> {
  const child = spawn(process.execPath, [yardstick('receiver.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line]: Buffer[] = await once(child.stdout, 'data');
  const url = String(line).trim();
  return {
    url,
    async until(count) {
      for (const started = performance.now(); performance.now() - started < 120_000; await sleep(20)) {
        const state = (await json(`${url}/count`)) as Count;
        if (state.count >= count) return state;
      }
      throw new Error(`${count} deliveries did not arrive in two minutes`);
    },
    bodies: () => json(`${url}/bodies`) as Promise<readonly string[]>,
    forget: async () => {
      await json(`${url}/forget`);
    },
    close: () => child.kill(),
  };
}

/** A sandbox that runs, and how to ask its account. */
export interface BenchSandbox {
  readonly world: World;
  readonly baseUrl: string;
  readonly token: string;
  readonly accountId: string;
  ask(method: string, path: string, data: unknown): Promise<{ readonly id: string }>;
}

/** Starts the sandbox of a world, or finds the one that runs. */
export async function startSandbox(world: World, ...options: readonly string[]): Promise<BenchSandbox> {
  await timed([bin, 'sandbox', 'start', ...options], world);
  const { base_url: baseUrl = '', account_id: accountId = '' } = await telctlJson(world, ['whoami']);
  const token = (await timed([bin, 'tokens', 'show'], world)).stdout.trim();
  return {
    world,
    baseUrl,
    token,
    accountId,
    async ask(method, path, data) {
      const reply = await fetch(`${baseUrl}/v2/accounts/${accountId}/${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'x-auth-token': token },
        body: JSON.stringify({ data }),
      });
      const body = (await reply.json()) as { readonly data: { readonly id: string } };
      if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(body)}`);
      return body.data;
    },
  };
}

export async function stopSandbox(world: World): Promise<void> {
  await timed([bin, 'sandbox', 'stop'], world);
  removeWorld(world);
}

/** A webhook of what is done to voicemail boxes. */
export const subscribe = ({ ask }: BenchSandbox, uri: string, name: string) =>
  ask('PUT', 'webhooks', {
    name,
    uri,
    hook: 'object',
    format: 'json',
    custom_data: { type: 'vmbox', action: 'all' },
  });

/** Records of a sandbox that was stopped, with webhooks, to be copied for each turn. */
export interface Records {
  readonly folder: string;
  readonly accountId: string;
  readonly webhookIds: readonly string[];
}

/** Makes records with so many webhooks. */
export async function makeRecords(world: World, uri: string, webhooks: number): Promise<Records> {
  const folder = join(world.home, 'records');
  const sandbox = await startSandbox(world, '--data', folder);
  const made = await Promise.all(
    Array.from({ length: webhooks }, (_, index) => subscribe(sandbox, uri, `hook ${index}`)),
  );
  await timed([bin, 'sandbox', 'stop'], world);
  return { folder, accountId: sandbox.accountId, webhookIds: made.map(({ id }) => id) };
}

/** A copy of the records in a world of its own, with so many events waiting, spread over the webhooks. */
export async function copyWithEvents({ folder, accountId, webhookIds }: Records, events: number) {
  const world = makeWorld();
  const copy = join(world.home, 'records');
  cpSync(folder, copy, { recursive: true });
  const store = openStore(join(copy, 'sandbox.db'));
  await store.commit(
    Array.from({ length: events }, (_, index) => ({
      change: 'queue' as const,
      entry: {
        kind: 'delivery' as const,
        webhookId: webhookIds[index % webhookIds.length] ?? '',
        accountId,
        eventId: index.toString(16).padStart(32, '0'),
        hook: 'object',
        dueMs: 0,
        payload: {
          id: index.toString(16).padStart(32, '0'),
          account_id: accountId,
          action: 'doc_edited',
          type: 'vmbox',
        },
      },
    })),
  );
  await store.close();
  return { world, folder: copy };
}
