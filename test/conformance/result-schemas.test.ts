import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { hyphenate } from '../../src/base/wording.ts';
import type { Command } from '../../src/cli/command/command.ts';
import { operations, resourceByName } from '../../src/contract/catalogue.ts';
import { commandWordsOf } from '../../src/contract/resource.ts';
import { hasResult } from '../../src/contract/result-schema.ts';
import type { Operation } from '../../src/contract/types.ts';
import { allCommands, explainLine } from '../support/command-lines.ts';
import { eachLine, nameOf } from '../support/each-line.ts';

const commandName = ({ resource, verb }: Operation): string =>
  [...commandWordsOf(resourceByName(resource)), hyphenate(verb)].join(' ');

/** Returns the operation whose result `telctl schema --result` publishes for a command. */
const findOperation = ({ path }: Command): Operation | undefined =>
  operations.find((operation) => commandName(operation) === path.join(' ') && hasResult(operation));

const published = allCommands.filter((command) => findOperation(command) !== undefined);
/** Each schema is used only a few times, so compilation is kept minimal. */
const schemas = new Ajv2020({
  ...{ strict: false, validateFormats: false },
  ...{ inlineRefs: false, code: { optimize: false } },
});

for (const command of published) {
  test(`${nameOf(command)} -o json matches its published schema`, async () => {
    await eachLine(
      command,
      () => true,
      async (world, made) => {
        const { argv, answered, run, code } = made;
        const schema = JSON.parse(
          (await world.telctl(['schema', '--result', command.path.join('.')])).stdout,
        );
        const done = await world.telctl([...argv, ...answered, '-o', 'json'], run);
        expect(done.code, explainLine(made, done.stderr)).toBe(code);
        // A failed line has no result: conferences are empty, for example.
        if (code !== 0) return;
        const check = schemas.compile(schema);
        check(JSON.parse(done.stdout));
        expect([argv.join(' '), done.stdout, check.errors]).toEqual([argv.join(' '), done.stdout, null]);
      },
    );
  });
}
