import { describe, expect, test } from 'vitest';
import { shellWords } from '../../scripts/docs/command-lines.mts';
import { outputFormats } from '../../src/client/session/settings.ts';
import { allCommands, type CommandLine, createLines, explainLine } from '../support/command-lines.ts';
import { distinctCommands } from '../support/distinct-commands.ts';
import { canChange, eachLine, isRemote, named, nameOf, writes } from '../support/each-line.ts';
import { serveSandbox } from '../support/served-sandbox.ts';
import { openWorld } from '../support/world.ts';

describe('destructive commands', () => {
  const asks = (line: CommandLine) => line.destroys;
  const question = /\(y\/N\)|Type .+ to continue/;
  for (const command of allCommands.filter(
    ({ effect, path: [noun] }) => effect === 'destructive' || noun === 'api',
  )) {
    test(`${nameOf(command)} does nothing without confirmation, and runs after a yes`, async () => {
      await eachLine(command, asks, async (world, made) => {
        const { argv, run, typed, code } = made;
        const unasked = await world.telctl(argv, run);
        expect([unasked.code, named(writes(unasked))], explainLine(made, unasked.stderr)).toEqual([2, []]);
        expect(unasked.stderr).toContain('Cannot ask without a terminal');

        const no = await world.telctl(argv, { ...run, tty: true, answers: [{ to: question, type: 'n' }] });
        expect([no.code, named(writes(no))], no.stderr).toEqual([typed === 'y' ? 130 : 9, []]);
        expect(no.stderr).toMatch(question);

        const done = await world.telctl(argv, {
          ...run,
          tty: true,
          // After all tokens are revoked, telctl asks to sign in again.
          answers: [
            { to: question, type: typed },
            { to: /Password/i, type: world.seed.superPassword },
          ],
        });
        expect(done.code, explainLine(made, done.stderr)).toBe(code);
        expect(writes(done)).not.toEqual([]);
      });
    });
  }
});

describe('changing commands', () => {
  for (const command of distinctCommands.filter((each) => isRemote(each) && canChange(each))) {
    test(`${nameOf(command)} sends no write with a read-only profile`, async () => {
      await eachLine(
        command,
        ({ changes }) => changes,
        async (world, made) => {
          const { argv, answered, run } = made;
          for (const profile of [world.profile, ...(argv.includes('super') ? ['super'] : [])])
            expect((await world.telctl(`profiles set ${profile} --protect read-only`)).code).toBe(0);
          const done = await world.telctl([...argv, ...answered], run);
          expect([done.code, named(writes(done))], explainLine(made, done.stderr)).toEqual([9, []]);
          expect(done.stderr).toContain('is read-only');
        },
      );
    });
  }
});

describe('destructive sandbox commands', () => {
  // These run a sandbox or another program as a process. `log --follow` does not end, and simulated traffic in real
  // time takes too long.
  const processes = ['start', 'stop', 'exec', 'serve'];
  const lines = allCommands
    .filter(({ path: [noun, verb = ''] }) => noun === 'sandbox' && !processes.includes(verb))
    .flatMap(({ examples }) => examples.map(({ line }) => shellWords(line).slice(1)))
    .filter((words) => !words.includes('--follow') && !words.includes('--real-time'))
    // A minute of traffic is enough.
    .map((words) => words.map((word) => (word === '1h' ? '1m' : word)));
  const asking = lines.filter((words) => words.includes('--yes'));
  const withoutYes = (words: readonly string[]) => words.filter((word) => word !== '--yes');
  const question = /\(y\/N\)/;

  /**
   * Starts a sandbox with the user and snapshot of the examples. Returns a function that reports the remaining state.
   */
  async function prepareSandbox() {
    const served = await serveSandbox('--memory');
    await served.addUser('witness');
    await served.telctl('sandbox snapshot save before-import');
    await served.addUser('later');
    const readState = async (): Promise<readonly string[]> => {
      await served.telctl('sandbox faults clear');
      const users = await served.telctl('users list -o name');
      const snapshots = await served.telctl('sandbox snapshot list -o json');
      return [users.stdout, snapshots.stdout];
    };
    return { ...served, left: readState };
  }

  test.each(lines.filter((each) => !asking.includes(each)).map((words) => [words.join(' '), words] as const))(
    'telctl %s keeps all records and snapshots',
    async (_, words) => {
      const { telctl, left } = await prepareSandbox();
      const before = await left();
      await telctl(words);
      expect(await left()).toEqual(before);
    },
  );

  test('are those that erase, replace and delete', () => {
    const verbs = asking.map((words) => words.slice(1, words[1] === 'snapshot' ? 3 : 2).join(' '));
    expect([...new Set(verbs)].toSorted()).toEqual(['reset', 'snapshot delete', 'snapshot load']);
  });

  test.each([...asking.map((words) => [words.join(' '), words] as const)])(
    'telctl %s asks first and does nothing without a yes',
    async (_, words) => {
      const { telctl, left } = await prepareSandbox();
      const before = await left();
      const unanswered = await telctl(withoutYes(words));
      expect([unanswered.code, await left()], unanswered.stderr).toEqual([2, before]);
      expect(unanswered.stderr).toContain('Cannot ask without a terminal');
      const no = await telctl(withoutYes(words), { tty: true, answers: [{ to: question, type: 'n' }] });
      expect([no.code, await left()], no.stderr).toEqual([130, before]);
      expect(no.stderr).toMatch(question);
      const tried = await telctl([...words, '--dry-run']);
      expect([tried.code, await left()], tried.stderr).toEqual([0, before]);
      // Erasing everything ends the sandbox process, which is this process. A smoke test covers it.
      if (words.join(' ') === 'sandbox reset --yes') return;
      const done = await telctl(withoutYes(words), { tty: true, answers: [{ to: question, type: 'y' }] });
      expect(done.code, done.stderr).toBe(0);
      expect(await left()).not.toEqual(before);
    },
  );

  test('a snapshot is replaced only after a yes', async () => {
    const { telctl, left } = await prepareSandbox();
    const before = await left();
    const again = await telctl('sandbox snapshot save before-import');
    expect([again.code, await left()], again.stderr).toEqual([2, before]);
    expect((await telctl('sandbox snapshot save before-import --yes')).code).toBe(0);
  });
});

describe('listing commands', () => {
  for (const command of distinctCommands.filter(({ path }) => path.at(-1) === 'list')) {
    test(`${nameOf(command)} supports every output format`, async () => {
      const served = command.path[0] === 'sandbox' ? await serveSandbox('--memory') : undefined;
      const world = await openWorld();
      const [line] = await createLines(command, world);
      for (const format of outputFormats) {
        const argv = [...(line?.argv ?? []), '-o', format];
        const run = await (served ?? world).telctl(argv);
        expect(run.code, `${format}: ${run.stderr}`).toBe(0);
        if (format === 'json') expect(JSON.parse(run.stdout)).toBeInstanceOf(Array);
      }
    });
  }
});
