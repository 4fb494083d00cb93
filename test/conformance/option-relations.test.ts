import { expect, test } from 'vitest';
import type { Command, OptionSpec } from '../../src/cli/command/command.ts';
import { parseLine } from '../../src/cli/shell/parse-line.ts';
import { allNouns } from '../../src/cli/shell/registry.ts';

const commands = (await Promise.all(allNouns().map((noun) => noun.commands()))).flat();

/** An option with a value that its type takes, as it is typed. */
function typed({ flag, value, type, choices, minimum = 1 }: OptionSpec): readonly string[] {
  if (value === undefined) return [`--${flag}`];
  if (choices) return [`--${flag}=${choices[0]}`];
  if (type === 'boolean') return [`--${flag}=true`];
  return [`--${flag}=${type === undefined || type === 'string' ? 'x' : minimum}`];
}

const specOf = ({ options }: Command, flag: string): OptionSpec | undefined =>
  Object.values(options).find((spec) => spec.flag === flag);

const isArgument = (command: Command, name: string): boolean =>
  Object.values(command.arguments).some((each) => each.name === name);

/** Values of the arguments that an option works with. */
const argumentsFor = (spec: OptionSpec | string): readonly string[] =>
  typeof spec === 'string' ? [] : Object.values(spec.only ?? {}).map(([first = 'x']) => first);

const excluding = commands.flatMap((command) => [
  ...Object.values(command.options).flatMap((spec) =>
    (spec.excludes ?? []).map(
      (other) => [`${command.path.join(' ')} --${spec.flag} ${other}`, command, spec, other] as const,
    ),
  ),
  ...Object.values(command.arguments).flatMap(({ name, excludes = [] }) =>
    excludes.map((other) => [`${command.path.join(' ')} ${name} ${other}`, command, name, other] as const),
  ),
]);
const needing = commands.flatMap((command) =>
  Object.values(command.options).flatMap((spec) =>
    spec.needs ? [[`${command.path.join(' ')} --${spec.flag}`, command, spec, spec.needs] as const] : [],
  ),
);

const named = ({ arguments: given }: Command) =>
  Object.values(given).map(({ choices }) => choices?.[0] ?? 'x');
const required = ({ options }: Command) => Object.values(options).filter((spec) => spec.required);
const lacking = commands.flatMap((command) =>
  required(command).map((spec) => [`${command.path.join(' ')} --${spec.flag}`, command, spec] as const),
);
const choosing = commands.flatMap((command) =>
  (command.anyOf ?? []).map(
    (group) => [`${command.path.join(' ')} ${group.join('|')}`, command, group] as const,
  ),
);

test.each(lacking)('reports the missing option %s, with an example', async (_, command, { flag, doc }) => {
  const others = required(command).filter((spec) => spec.flag !== flag);
  const line = [...command.path, ...named(command), ...others.flatMap(typed)];
  await expect(parseLine(line, {})).rejects.toMatchObject({
    kind: 'usage',
    message: `The option --${flag} is missing.`,
    hint: expect.stringMatching(`^--${flag}: ${doc}, as in: telctl .*--${flag} `),
  });
});

test.each(choosing)('one of %s is required', async (_, command, group) => {
  const ways = group.map((each) => (specOf(command, each) ? `--${each}` : each));
  for (const each of group)
    expect(specOf(command, each) !== undefined || isArgument(command, each)).toBe(true);
  const optional = Object.values(command.arguments).some((each) => each.optional);
  const others = (command.anyOf ?? []).flatMap((each) =>
    each === group ? [] : (specOf(command, each[0] ?? '') ?? []),
  );
  const line = [
    ...command.path,
    ...(optional ? [] : named(command)),
    ...[...required(command), ...others].flatMap(typed),
  ];
  await expect(parseLine(line, {})).rejects.toMatchObject({
    kind: 'usage',
    message: `Give ${ways.join(' or ')}.`,
  });
});

test.each(excluding)('%s is refused', async (_, command, spec, other) => {
  const beside = specOf(command, other);
  expect(beside !== undefined || isArgument(command, other), `${other} is no option or argument`).toBe(true);
  const own = typeof spec === 'string' ? ['x'] : typed(spec);
  const line = [...command.path, ...argumentsFor(spec), ...(beside ? typed(beside) : ['x']), ...own];
  const name = beside ? `--${other}` : other;
  await expect(parseLine(line, {})).rejects.toMatchObject({
    kind: 'usage',
    message: `Give ${typeof spec === 'string' ? spec : `--${spec.flag}`} or ${name}, not both.`,
  });
});

test.each(needing)('%s is refused without its companion', async (_, command, spec, needs) => {
  for (const flag of needs) expect(specOf(command, flag), `--${flag} is no option`).toBeDefined();
  const message = `--${spec.flag} needs ${needs.map((flag) => `--${flag}`).join(' or ')}.`;
  await expect(parseLine([...command.path, ...typed(spec)], {})).rejects.toMatchObject({
    kind: 'usage',
    message,
  });
});

test('covers at least one relation of each kind', () => {
  expect(excluding.length).toBeGreaterThan(20);
  expect(needing.length).toBeGreaterThan(10);
});
