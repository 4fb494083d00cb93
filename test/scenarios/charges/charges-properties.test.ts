import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject } from '../../../src/base/json.ts';
import type { SandboxMode } from '../../../src/extensions/sandbox/differences.ts';
import type { SentRequest } from '../../support/inject-transport.ts';
import { openWorld, type Run, type World } from '../../support/world.ts';

// Charges are only made with consent, and only once. The tests run random histories of priced changes with and
// without consent and with lost responses, in each mode of the sandbox. They read the charges from its database.

const modes: readonly (SandboxMode | undefined)[] = [undefined, 'specification', 'kazoo'];
const prices = { user: 5, inbound_trunks: 10, twoway_trunks: 25 } as const;

type Priced = Readonly<Record<keyof typeof prices, number>>;

/** One run of a history: its change, its consent to charges, and the request at which its connection fails. */
interface Step {
  readonly change: 'limits' | 'user' | 'users' | 'import' | 'apply';
  readonly count: number;
  readonly consent: 'none' | 'yes' | 'all' | number | 'typed-y' | 'typed-n';
  readonly cut: { readonly at: number; readonly kind: 'refuse' | 'lose-reply' } | undefined;
}

const steps: fc.Arbitrary<Step> = fc.record({
  change: fc.constantFrom('limits', 'user', 'users', 'import', 'apply'),
  count: fc.integer({ min: 1, max: 6 }),
  consent: fc.oneof(
    fc.constantFrom('none', 'yes', 'all', 'typed-y', 'typed-n'),
    fc.integer({ min: 0, max: 60 }),
  ) as fc.Arbitrary<Step['consent']>,
  cut: fc.option(
    fc.record({ at: fc.integer({ min: 0, max: 4 }), kind: fc.constantFrom('refuse', 'lose-reply') }),
    { nil: undefined },
  ),
});

const person = (name: string) => ({ username: name, password: 'secret-1', first_name: name, last_name: 'X' });

/** Returns the command line of a step. Its names are unique. */
function commandLine({ change, count }: Step, index: number) {
  const names = Array.from({ length: change === 'user' ? 1 : 2 }, (_, each) => `u${index}x${each}`);
  switch (change) {
    case 'limits':
      return { argv: ['limits', 'set', '--inbound-trunks', String(count)], files: {} };
    case 'import': {
      const rows = names.map((name) => `${name},${name},X,secret-1`);
      const csv = ['username,first_name,last_name,password', ...rows].join('\n');
      return { argv: ['users', 'import', 'in.csv', '--yes'], files: { 'in.csv': csv } };
    }
    case 'apply': {
      const users = Object.fromEntries(names.map((name) => [name, person(name)]));
      const manifest = { users, limits: { twoway_trunks: count } };
      return { argv: ['apply', '-f', 'm.json', '--yes'], files: { 'm.json': JSON.stringify(manifest) } };
    }
    default:
      return {
        argv: ['users', 'create', '-f', 'u.json'],
        files: { 'u.json': JSON.stringify(names.map(person)) },
      };
  }
}

const consentOptions = (consent: Step['consent']): readonly string[] => {
  if (typeof consent === 'number') return ['--accept-charges-up-to', String(consent)];
  return consent === 'all' ? ['--accept-charges'] : consent === 'yes' ? ['--yes'] : [];
};

const acceptsCharges = ({ body }: SentRequest): boolean =>
  JSON.stringify(body ?? {}).includes('"accept_charges"');

/** Reads the priced items of the account from the sandbox's database. */
async function readPriced({ sandbox: { store, seed } }: World): Promise<Priced> {
  const users = await store.allOfKind('users');
  const limits = await store.get({ kind: 'limits', scope: seed.accountId, id: 'limits' });
  const count = (item: string): number => Number(limits?.body[item] ?? 0);
  return {
    user: users.filter(({ scope, body }) => scope === seed.accountId && body.priv_level === 'user').length,
    inbound_trunks: count('inbound_trunks'),
    twoway_trunks: count('twoway_trunks'),
  };
}

/** Returns the charges added to the bill between two states. */
const chargesBetween = (before: Priced, after: Priced): number =>
  (['user', 'inbound_trunks', 'twoway_trunks'] as const)
    .map((item) => Math.max(0, after[item] - before[item]) * prices[item])
    .reduce((sum, each) => sum + each, 0);

/** Returns the requests that accept charges as text: method, path and data. */
function formatAccepting(run: Run): readonly string[] {
  return run.requests.filter(acceptsCharges).map(({ method, path, body }) => {
    const envelope = isObject(body) ? body : {};
    const place = isObject(envelope.data) && Object.hasOwn(envelope.data, 'accept_charges') ? 'in' : 'beside';
    const { accept_charges: _, ...data } = isObject(envelope.data) ? envelope.data : {};
    return `${place} ${method} ${path} ${JSON.stringify(data)}`;
  });
}

async function runStep(world: World, step: Step, index: number): Promise<void> {
  const { argv, files } = commandLine(step, index);
  const before = await readPriced(world);
  const typed = step.consent === 'typed-y' ? 'y' : 'n';
  const atTerminal = step.consent === 'typed-y' || step.consent === 'typed-n';
  let neverArrived = 0;
  const met = (): void => {
    if (step.cut?.kind === 'refuse') neverArrived += 1;
  };
  const cut = step.cut && [
    { method: 'PUT', path: /users$/, times: step.cut.at, fault: { kind: 'pass' } } as const,
    { method: 'POST', path: /limits$/, times: step.cut.at, fault: { kind: 'pass' } } as const,
    { method: 'PUT', path: /users$/, times: 1, fault: { kind: step.cut.kind }, met } as const,
    { method: 'POST', path: /limits$/, times: 1, fault: { kind: step.cut.kind }, met } as const,
  ];
  const run = await world.telctl([...argv, ...consentOptions(step.consent)], {
    files,
    ...(cut ? { faults: cut } : {}),
    ...(atTerminal
      ? { tty: true, answers: Array.from({ length: 9 }, () => ({ to: /Accept .* in /, type: typed })) }
      : {}),
  });
  const cost = chargesBetween(before, await readPriced(world));
  const asked = step.consent === 'none' || step.consent === 'yes' || step.consent === 'typed-n';
  if (asked) expect([cost, run.requests.filter(acceptsCharges)], run.stderr).toEqual([0, []]);
  if (typeof step.consent === 'number') expect(cost, run.stderr).toBeLessThanOrEqual(step.consent);
  const changes = formatAccepting(run);
  // A request without a connection was not sent, so it may be repeated.
  expect(changes.length - new Set(changes).size, changes.join('\n')).toBeLessThanOrEqual(neverArrived);
  expect([0, 2, 7, 8, 75, 1, 5, 4], run.stderr).toContain(run.code);
}

describe.each(modes)('a sequence of priced changes, like %s', (like) => {
  test('charges accepted amounts exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 2, maxLength: 5 }), async (history) => {
        const world = await openWorld(like ? { like } : {});
        await world.service('POST', 'services/overrides', { users: { user: { rate: prices.user } } });
        // A record with a stored consent, as other programs leave it.
        await world.service('POST', 'limits', { inbound_trunks: 1, accept_charges: true });
        for (const [index, step] of history.entries()) await runStep(world, step, index);
      }),
      { numRuns: 20, seed: Number(process.env.FUZZ_SEED ?? 20_261_122) },
    );
  });
});
