import { describe, expect, test } from 'vitest';
import { allNouns } from '../../src/cli/shell/registry.ts';
import type { FaultRule } from '../support/faults.ts';
import { postgresServer } from '../support/postgres.ts';
import { smallOffice } from '../support/small-office.ts';
import { isSignIn, openWorld, type Run, type RunOptions, type World } from '../support/world.ts';

const server = await postgresServer();

/** A command that runs until it is interrupted. */
interface Endless {
  readonly words: readonly string[];
  /** Creates the required records, and returns the options of the run. */
  readonly prepare?: (world: World) => Promise<RunOptions>;
  /** The request at which the command is interrupted. */
  readonly interruptsAt: Pick<FaultRule, 'method' | 'path'>;
  /** Invalid arguments, which must prevent all requests. */
  readonly invalidArguments: readonly string[];
  /** Run by service managers, so it exits with code 0 whenever it is stopped. */
  readonly isService?: true;
  /** Concerns no account, so `--account` is refused. */
  readonly everywhere?: true;
}

const manifest = { 'office.yaml': smallOffice } as const;

/** Creates a shared state with a rollout that waits for a worker. */
async function startWaitingRollout(world: World): Promise<RunOptions> {
  const env = { TELCTL_STATE: await server.database(), TELCTL_STATE_PASSWORD: server.password };
  const files = { ...manifest, 'accounts.txt': world.seed.accountId };
  const line = ['rollout', 'start', '-f', 'office.yaml', '--accounts', 'accounts.txt', '--detach', '--yes'];
  const begun = await world.telctl(line, { env, files });
  if (begun.code !== 0) throw new Error(begun.stderr);
  return { env };
}

const endless: Readonly<Record<string, Endless>> = {
  'webhooks listen': {
    words: ['--hook', 'sms'],
    interruptsAt: { method: 'PUT', path: /webhooks$/ },
    invalidArguments: ['--port', 'any'],
  },
  watch: {
    words: [],
    interruptsAt: { method: 'PUT', path: /webhooks$/ },
    invalidArguments: ['--every', 'soon'],
  },
  console: {
    words: ['--no-browser'],
    interruptsAt: { method: 'GET', path: /descendants$/ },
    invalidArguments: ['--port', 'any'],
  },
  reconcile: {
    isService: true,
    words: ['-f', 'office.yaml', '--every', '1h', '--correct', '--yes'],
    prepare: async () => ({ files: manifest }),
    interruptsAt: { method: 'PUT', path: /menus$/ },
    invalidArguments: ['--every', 'soon'],
  },
  'rollout worker': {
    words: [],
    prepare: startWaitingRollout,
    interruptsAt: { method: 'PUT', path: /menus$/ },
    invalidArguments: ['--idle', 'soon'],
    everywhere: true,
    isService: true,
  },
  'channels list': {
    words: ['--watch'],
    interruptsAt: { method: 'GET', path: /channels$/ },
    invalidArguments: ['--concurrency', 'many'],
  },
  'webhooks attempts': {
    words: ['--follow'],
    interruptsAt: { method: 'GET', path: /attempts$/ },
    invalidArguments: ['--concurrency', 'many'],
  },
};

/** Commands whose help mentions Ctrl-C or SIGTERM, and the reason that they are not in `endless`. */
const testedElsewhere: Readonly<Record<string, string>> = {
  apply: 'ends by itself',
  'apply history': 'ends by itself',
  conformance: 'ends by itself',
  log: 'sends nothing: test/scenarios/state/log.test.ts',
  'rollout show': 'sends nothing: it reads the state until the rollout ends',
  'sandbox log': 'test/smoke/sandbox.test.ts',
  'sandbox serve': 'test/smoke/serve.test.ts',
};

test('lists every command that runs until it is stopped', async () => {
  const commands = (await Promise.all(allNouns().map((noun) => noun.commands()))).flat();
  const known = commands
    .filter((command) => /Ctrl-C|SIGTERM/.test(JSON.stringify(command)))
    .map(({ path }) => path.join(' '));
  expect(
    known.toSorted(),
    'Add a command without an end to `endless`, or to `elsewhere`, in test/conformance/long-running-shared-state.test.ts',
  ).toEqual([...Object.keys(endless), ...Object.keys(testedElsewhere)].toSorted());
});

/** Runs a command, and interrupts it at its first matching request. */
async function runUntilRequest(
  world: World,
  name: string,
  more: readonly string[] = [],
): Promise<Run & { readonly given: RunOptions }> {
  const { words, prepare, interruptsAt } = endless[name] as Endless;
  const given = (await prepare?.(world)) ?? {};
  const stop = new AbortController();
  const faults: readonly FaultRule[] = [
    { ...interruptsAt, fault: { kind: 'pass' }, met: () => stop.abort() },
  ];
  const line = [...name.split(' '), ...words, ...more];
  const run = await world.telctl(line, { ...given, faults, interrupted: stop.signal });
  return { ...run, given };
}

/** Returns the webhooks of an account, read without telctl. */
async function readWebhooks({ sandbox }: World, accountId: string): Promise<readonly unknown[]> {
  const { data } = await sandbox.call('GET', `/v2/accounts/${accountId}/webhooks`, {
    token: await sandbox.adminToken(),
  });
  return Array.isArray(data) ? data : [];
}

describe.each(Object.entries(endless))(
  'telctl %s',
  (name, { words, interruptsAt, invalidArguments, prepare, everywhere, isService }) => {
    test('exits with code 0 when stopped, and leaves no webhook, lock or secret', async () => {
      const world = await openWorld();
      const run = await runUntilRequest(world, name);
      expect(run.code, run.stderr).toBe(0);
      expect(await readWebhooks(world, world.seed.accountId)).toEqual([]);
      for (const secret of [
        world.seed.apiKey,
        world.seed.adminPassword,
        world.seed.superPassword,
        server.password,
      ])
        expect(run.stdout + run.stderr).not.toContain(secret);
      const { TELCTL_STATE: state } = run.given.env ?? {};
      if (state !== undefined)
        expect(await server.query(state, 'SELECT holder FROM telctl.leases')).toEqual([]);
      expect(world.filesWritten().filter(({ path }) => /\.lock$/.test(path))).toEqual([]);
    });

    test('exits and leaves nothing when stopped before it has started', async () => {
      const world = await openWorld();
      const given = (await prepare?.(world)) ?? {};
      const stop = new AbortController();
      stop.abort();
      const run = await world.telctl([...name.split(' '), ...words], { ...given, interrupted: stop.signal });
      expect(isService ? [0] : [0, 130], run.stderr).toContain(run.code);
      expect(await readWebhooks(world, world.seed.accountId)).toEqual([]);
    });

    test('refuses invalid input with code 2 and sends no request', async () => {
      const world = await openWorld();
      const given = (await prepare?.(world)) ?? {};
      for (const bad of [invalidArguments, ['--nonsense'], ...(everywhere ? [['--account', 'acme']] : [])]) {
        const run = await world.telctl([...name.split(' '), ...words, ...bad], given);
        expect([run.code, run.requests.filter((request) => !isSignIn(request))], run.stderr).toEqual([2, []]);
      }
    });

    if (!everywhere)
      test('uses only the named account', async () => {
        const world = await openWorld();
        const made = await world.sandbox.call('PUT', `/v2/accounts/${world.seed.accountId}`, {
          token: await world.sandbox.adminToken(),
          data: { name: 'branch', realm: 'branch.example' },
        });
        const id = made.at('data.id');
        const run = await runUntilRequest(world, name, ['--account', id]);
        expect(run.code, run.stderr).toBe(0);
        const sent = run.requests.filter((request) => !isSignIn(request));
        const about = sent.filter(
          ({ method, path }) =>
            method !== 'GET' || (method === interruptsAt.method && interruptsAt.path?.test(path)),
        );
        expect(about).not.toEqual([]);
        for (const { path } of about) expect(path).toContain(`/accounts/${id}/`);
        expect(await readWebhooks(world, id)).toEqual([]);
      });
  },
);
