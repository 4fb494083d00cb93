import { expect, test } from 'vitest';
import type { Command } from '../../src/cli/command.ts';
import { operations } from '../../src/contract/catalogue.ts';
import { isObject } from '../../src/contract/json.ts';
import { allCommands, linesFor } from '../support/command-lines.ts';
import type { SentRequest } from '../support/inject-transport.ts';
import { openWorld, type World } from '../support/world.ts';

const documented = operations.filter(({ source }) => source === 'specification');
const isDocumented = ({ operations: [id] = [] }: Command): boolean => documented.some((each) => each.id === id);

const patternOf = (path: string): RegExp => new RegExp(`^(?:/v2)?${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** Whether the specification documents a request: its method, its path and its action. */
const inSpecification = ({ method, path, body }: SentRequest): boolean =>
  documented.some(
    (operation) =>
      operation.method === method &&
      patternOf(operation.path).test(path) &&
      (operation.body?.kind !== 'action' || (isObject(body) && body.action === operation.body.action)),
  );

const worldOf = (): Promise<World> => openWorld({ answersLike: 'specification' });

for (const command of allCommands.filter(isDocumented)) {
  test(`telctl ${command.path.join(' ')} can be done where the service offers the documented operations alone`, async () => {
    const count = (await linesFor(command, await worldOf())).length;
    expect(count).toBeGreaterThan(0);
    for (let index = 0; index < count; index += 1) {
      for (const more of command.effect === 'read' ? [[]] : [['--dry-run'], []]) {
        const world = await worldOf();
        const line = (await linesFor(command, world))[index];
        if (!line) throw new Error('the line has gone');
        const argv = [...line.argv, ...line.answered, ...more];
        const run = await world.telctl(argv, line.run);
        expect(run.code, `${argv.join(' ')}: ${run.stderr}`).toBe(line.code);
        const others = run.requests.filter((request) => !inSpecification(request));
        // eslint
        expect(others.map(({ method, path }) => `${method} ${path}`), argv.join(' ')).toEqual([]);
      }
    }
  });
}
