import { describe, expect, test } from 'vitest';
import { shellWords } from '../../scripts/docs/command-lines.mts';
import { isObject } from '../../src/base/json.ts';
import type { Command } from '../../src/command/command.ts';
import { operations as contractOperations } from '../../src/contract/catalogue.ts';
import { behaviourOf } from '../../src/sandbox/likenesses.ts';
import type { Change } from '../../src/sandbox/store/store.ts';
import { outputFormats } from '../../src/session/settings.ts';
import { allCommands, type CommandLine, linesFor } from '../support/command-lines.ts';
import type { SentRequest } from '../support/inject-transport.ts';
import { mode } from '../support/mode.ts';
import { serveSandbox } from '../support/served-sandbox.ts';
import { isSignIn, openWorld, type Run, type World } from '../support/world.ts';

const nameOf = ({ path }: Command): string => `telctl ${path.join(' ')}`;
const isRemote = ({ effect, path }: Command): boolean => effect !== 'local' && path[0] !== 'sandbox';
const canChange = ({ effect, worst = effect }: Command): boolean => worst !== 'read';

/** A token exchanged for a new one, which is a sign-in and changes nothing. */
const isExchange = ({ body }: SentRequest): boolean => isObject(body) && body.action === 'refresh_token';
const writes = ({ requests }: Run) =>
  requests.filter((request) => request.method !== 'GET' && !isSignIn(request) && !isExchange(request));
const changedRecord = (change: Change): string =>
  change.change === 'put' ? `put ${change.record.kind} ${change.record.id}` : change.change;
const named = (sent: readonly { readonly method: string; readonly path: string }[]): readonly string[] =>
  sent.map(({ method, path }) => `${method} ${path}`);

/** Calls `attempt` for each line of a command, each in a world of its own. Fails where there is none. */
async function eachLine(
  command: Command,
  isMeant: (line: CommandLine) => boolean,
  attempt: (world: World, line: CommandLine) => Promise<void>,
): Promise<void> {
  let tried = 0;
  for (let index = 0, count = 1; index < count; index += 1) {
    const world = await openWorld();
    const lines = await linesFor(command, world);
    count = lines.length;
    const line = lines[index];
    if (!line || !isMeant(line)) continue;
    await attempt(world, line);
    tried += 1;
  }
  expect(tried).toBeGreaterThan(0);
}

for (const command of allCommands.filter(({ path }) => path[0] !== 'sandbox')) {
  test(`${nameOf(command)} works as its lines say`, async () => {
    await eachLine(
      command,
      () => true,
      async (world, { argv, answered, run, code, changes }) => {
        const stored: Change[] = [];
        world.sandbox.store.watch((committed) => stored.push(...committed));
        const done = await world.telctl([...argv, ...answered], run);
        expect(done.code, `${argv.join(' ')}: ${done.stderr}`).toBe(code);
        // Assistants and read-only profiles may do all that is said to read: it leaves the service as it was.
        if (!canChange(command) && command.attended !== true)
          expect(stored.map(changedRecord), argv.join(' ')).toEqual([]);
        if (changes) expect(writes(done), argv.join(' ')).not.toEqual([]);
      },
    );
  });
}

describe('what destroys', () => {
  const asks = (line: CommandLine) => line.destroys;
  const question = /\(y\/N\)|Type .+ to go on/;
  for (const command of allCommands.filter(
    ({ effect, path: [noun] }) => effect === 'destructive' || noun === 'api',
  )) {
    test(`${nameOf(command)} does nothing where nobody can be asked`, async () => {
      await eachLine(command, asks, async (world, { argv, run }) => {
        const done = await world.telctl(argv, run);
        expect([done.code, named(writes(done))], done.stderr).toEqual([2, []]);
        expect(done.stderr).toContain('Nobody can be asked here');
      });
    });

    test(`${nameOf(command)} asks at a terminal, and does nothing at a no`, async () => {
      await eachLine(command, asks, async (world, { argv, run, typed }) => {
        const done = await world.telctl(argv, { ...run, tty: true, answers: [{ to: question, type: 'n' }] });
        expect([done.code, named(writes(done))], done.stderr).toEqual([typed === 'y' ? 130 : 9, []]);
        expect(done.stderr).toMatch(question);
      });
    });

    test(`${nameOf(command)} goes on at a terminal with what answers its question`, async () => {
      await eachLine(command, asks, async (world, { argv, run, typed, code }) => {
        const done = await world.telctl(argv, {
          ...run,
          tty: true,
          // Who has ended every token there is, is asked to sign in again.
          answers: [
            { to: question, type: typed },
            { to: /Password/i, type: world.seed.superPassword },
          ],
        });
        expect(done.code, done.stderr).toBe(code);
        expect(writes(done)).not.toEqual([]);
      });
    });
  }
});

describe('what changes', () => {
  for (const command of allCommands.filter((each) => isRemote(each) && canChange(each))) {
    test(`${nameOf(command)} shows with --dry-run what it would send, and sends none of it`, async () => {
      await eachLine(
        command,
        ({ changes }) => changes,
        async (world, { argv, answered, run, code }) => {
          const tried = await world.telctl([...argv, ...answered, '--dry-run', '-o', 'json'], run);
          expect([tried.code, named(writes(tried))], tried.stderr).toEqual([code, []]);
          const done = await world.telctl([...argv, ...answered], run);
          const { requests, changes } = shownIn(tried);
          expect(changes, tried.stdout).toBe(changing(done).length);
          if (requests) expect(requests).toEqual(named(changing(done)));
        },
      );
    });

    test(`${nameOf(command)} sends no write under a read-only profile`, async () => {
      await eachLine(
        command,
        ({ changes }) => changes,
        async (world, { argv, answered, run }) => {
          for (const profile of [world.profile, ...(argv.includes('super') ? ['super'] : [])])
            expect((await world.telctl(`profiles set ${profile} --protect read-only`)).code).toBe(0);
          const done = await world.telctl([...argv, ...answered], run);
          expect([done.code, named(writes(done))], done.stderr).toEqual([9, []]);
          expect(done.stderr).toContain('is read-only');
        },
      );
    });
  }
});

describe('what destroys in a sandbox', () => {
  // Those that run a sandbox or another program as a process; a followed log has no end, real time takes its time.
  const processes = ['start', 'stop', 'exec', 'serve'];
  const lines = allCommands
    .filter(({ path: [noun, verb = ''] }) => noun === 'sandbox' && !processes.includes(verb))
    .flatMap(({ examples }) => examples.map(({ line }) => shellWords(line).slice(1)))
    .filter((words) => !words.includes('--follow') && !words.includes('--real-time'));
  const asking = lines.filter((words) => words.includes('--yes'));
  const unasked = (words: readonly string[]) => words.filter((word) => word !== '--yes');
  const question = /\(y\/N\)/;

  /** A sandbox with a user and the snapshot that examples speak of, and what is left of all that. */
  async function stage() {
    const served = await serveSandbox('--memory');
    await served.addUser('witness');
    await served.telctl('sandbox snapshot save before-import');
    await served.addUser('later');
    const left = async (): Promise<readonly string[]> => {
      await served.telctl('sandbox faults clear');
      const users = await served.telctl('users list -o name');
      const snapshots = await served.telctl('sandbox snapshot list -o json');
      return [users.stdout, snapshots.stdout];
    };
    return { ...served, left };
  }

  test.each(lines.filter((each) => !asking.includes(each)).map((words) => [words.join(' '), words] as const))(
    'telctl %s loses no record and no snapshot',
    async (_, words) => {
      const { telctl, left } = await stage();
      const before = await left();
      await telctl(words);
      expect(await left()).toEqual(before);
    },
    // An hour of traffic is one of them.
    60_000,
  );

  test('its lines are those that erase, replace and delete', () => {
    const verbs = asking.map((words) => words.slice(1, words[1] === 'snapshot' ? 3 : 2).join(' '));
    expect([...new Set(verbs)].toSorted()).toEqual(['reset', 'snapshot delete', 'snapshot load']);
  });

  test.each([...asking.map((words) => [words.join(' '), words] as const)])(
    'telctl %s asks, and does nothing without a yes',
    async (_, words) => {
      const { telctl, left } = await stage();
      const before = await left();
      const nobody = await telctl(unasked(words));
      expect([nobody.code, await left()], nobody.stderr).toEqual([2, before]);
      expect(nobody.stderr).toContain('Nobody can be asked here');
      const no = await telctl(unasked(words), { tty: true, answers: [{ to: question, type: 'n' }] });
      expect([no.code, await left()], no.stderr).toEqual([130, before]);
      expect(no.stderr).toMatch(question);
      const tried = await telctl([...words, '--dry-run']);
      expect([tried.code, await left()], tried.stderr).toEqual([0, before]);
      // What erases all of a sandbox ends its process, which is this one: a smoke test does that.
      if (words.join(' ') === 'sandbox reset --yes') return;
      const done = await telctl(unasked(words), { tty: true, answers: [{ to: question, type: 'y' }] });
      expect(done.code, done.stderr).toBe(0);
      expect(await left()).not.toEqual(before);
    },
  );

  test('a snapshot is replaced only after a yes', async () => {
    const { telctl, left } = await stage();
    const before = await left();
    const again = await telctl('sandbox snapshot save before-import');
    expect([again.code, await left()], again.stderr).toEqual([2, before]);
    expect((await telctl('sandbox snapshot save before-import --yes')).code).toBe(0);
  });
});

/** The writes of a run, less those that put away what the run itself had made, or changed what is in it. */
function changing(run: Run) {
  const sent = writes(run);
  const isAccount = ({ path }: SentRequest): boolean => /^\/v2\/accounts\/[^/]+$/.test(path);
  const made = sent.filter(({ method }) => method === 'PUT');
  const ended = made.some(isAccount)
    ? sent.filter((each) => each.method === 'DELETE' && isAccount(each))
    : [];
  return sent.filter(
    ({ method, path }) =>
      !(method === 'DELETE' && made.some((each) => path.startsWith(`${each.path}/`))) &&
      !ended.some((account) => `${path}/`.startsWith(`${account.path}/`)),
  );
}

/** JSON of a dry run: requests, or the steps of plans, or the rows of a spreadsheet. */
function shownIn({ stdout }: Run): { readonly changes: number; readonly requests?: readonly string[] } {
  const said: unknown = JSON.parse(stdout);
  const objects = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);
  if (Array.isArray(said)) return { changes: said.length };
  if (!isObject(said)) return { changes: 0 };
  if (said.requests === undefined) {
    const steps = objects(said.accounts).flatMap((account) => objects(account.steps));
    return { changes: steps.filter(({ action }) => action !== 'unchanged').length };
  }
  // What was sent is known by its path, without query.
  const requests = objects(said.requests).map(
    ({ method, path }) => `${method} ${String(path).split('?')[0]}`,
  );
  return { changes: requests.length, requests };
}

describe('what lists', () => {
  for (const command of allCommands.filter(({ path }) => path.at(-1) === 'list')) {
    test(`${nameOf(command)} shows itself in every format`, async () => {
      // Those of the sandbox speak to one that runs.
      const served = command.path[0] === 'sandbox' ? await serveSandbox('--memory') : undefined;
      const world = await openWorld();
      const [line] = await linesFor(command, world);
      for (const format of outputFormats) {
        const argv = [...(line?.argv ?? []), '-o', format];
        const run = await (served ?? world).telctl(argv);
        expect(run.code, `${format}: ${run.stderr}`).toBe(0);
        if (format === 'json') expect(JSON.parse(run.stdout)).toBeInstanceOf(Array);
      }
    });
  }
});

/** True for a command that an administrator of an account may not use, whatever it is about. */
const isForSuper = ({ operations: [id] = [] }: Command): boolean =>
  contractOperations.some((each) => each.id === id && each.role === 'super');

const oddIds = ['a/b', '..', '%2e%2e', 'two words', 'q?x=1', 'a#b', '100%'];

describe('odd ids', () => {
  // Services in the field refuse a number that they do not know with 500, and say no reason.
  const { phoneNumbers, mails } = behaviourOf(mode);
  const refusals = phoneNumbers.refusals === 'faults' ? [1, 2, 5, 10] : [2, 5, 10];
  /** Without a mailer a service fails (500) over a template that it does not know. */
  const fails = ({ path: [noun] }: Command) => noun === 'notifications' && mails.mailer !== 'kept';
  const ofOne = allCommands.filter(
    (command) => isRemote(command) && Object.keys(command.arguments).includes('id'),
  );
  for (const command of ofOne) {
    test(`${nameOf(command)} keeps an odd id in its own segment of the path`, async () => {
      const world = await openWorld();
      for (const id of oddIds) {
        const run = await world.telctl([...command.path, id, '--yes']);
        for (const { path } of run.requests) {
          const segments = path.split('/').map(decodeURIComponent);
          const isOwn =
            segments.includes(id) || !segments.some((segment) => id.includes(segment) && segment.length > 1);
          expect(isOwn, `${id} became ${path}`).toBe(true);
          expect(path.split('/')).not.toContain('..');
        }
        const allowed = [...refusals, ...(isForSuper(command) ? [4] : []), ...(fails(command) ? [75] : [])];
        expect(allowed, `${id}: ${run.code} ${run.stderr}`).toContain(run.code);
      }
    });
  }
});
