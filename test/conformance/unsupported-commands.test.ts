import { describe, expect, test } from 'vitest';
import { errorMessage } from '../../src/base/wording.ts';
import { allNouns } from '../../src/cli/shell/registry.ts';
import { behaviourOf } from '../../src/extensions/sandbox/behaviour.ts';
import { createLines } from '../support/command-lines.ts';
import { isOffered, notDoable } from '../support/mode.ts';
import { isSignIn, openWorld } from '../support/world.ts';

const commands = (await Promise.all(allNouns().map((noun) => noun.commands()))).flat();

describe.each(['kazoo', 'specification'] as const)('unsupported commands on a service like %s', (like) => {
  test('exist, and need a missing operation', () => {
    const offered = commands.filter((command) => isOffered(command, behaviourOf(like)));
    const names = offered.map(({ path }) => path.join(' '));
    expect(Object.keys(notDoable[like]).filter((name) => !names.includes(name))).toEqual([]);
  });

  test('fail with one sentence', async () => {
    const done: string[] = [];
    for (const command of commands.filter(({ path }) => Object.hasOwn(notDoable[like], path.join(' ')))) {
      const world = await openWorld({ answersLike: like });
      const works: boolean[] = [];
      // If the preparation is unsupported, the command is as well.
      const lines = await createLines(command, world).catch((error: unknown) => {
        if (errorMessage(error).startsWith('telctl ')) return [];
        throw error;
      });
      if (lines.length === 0) continue;
      for (const { argv, answered, run, code, changes } of lines) {
        const ended = await world.telctl([...argv, ...answered], run);
        const isWritten = ended.requests.some((each) => each.method !== 'GET' && !isSignIn(each));
        works.push(ended.code === code && (isWritten || !changes));
      }
      if (works.every(Boolean)) done.push(command.path.join(' '));
    }
    expect(done, 'Remove these from `notDoable` in test/support/mode.ts').toEqual([]);
  });
});
