import { expect, test } from 'vitest';
import type { Command, OptionSpec } from '../../src/cli/command/command.ts';
import { parseLine } from '../../src/cli/shell/parse-line.ts';
import { allNouns } from '../../src/cli/shell/registry.ts';

const commands = (await Promise.all(allNouns().map((noun) => noun.commands()))).flat();

/** Returns an option with a valid value, as typed. */
function typeOption({ flag, value, type, choices, minimum = 1 }: OptionSpec): readonly string[] {
  if (value === undefined) return [`--${flag}`];
  if (choices) return [`--${flag}=${choices[0]}`];
  if (type === 'boolean') return [`--${flag}=true`];
  return [`--${flag}=${type === undefined || type === 'string' ? 'x' : minimum}`];
}

const findOption = ({ options }: Command, flag: string): OptionSpec | undefined =>
  Object.values(options).find((spec) => spec.flag === flag);

const isArgument = (command: Command, name: string): boolean =>
  Object.values(command.arguments).some((each) => each.name === name);

/** Returns values for the arguments that an option requires. */
const requiredArguments = (spec: OptionSpec | string): readonly string[] =>
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

const sampleArguments = ({ arguments: given }: Command) =>
  Object.values(given).map(({ choices }) => choices?.[0] ?? 'x');
const requiredOptions = ({ options }: Command) => Object.values(options).filter((spec) => spec.required);
const lacking = commands.flatMap((command) =>
  requiredOptions(command).map(
    (spec) => [`${command.path.join(' ')} --${spec.flag}`, command, spec] as const,
  ),
);
const choosing = commands.flatMap((command) =>
  (command.anyOf ?? []).map(
    (group) => [`${command.path.join(' ')} ${group.join('|')}`, command, group] as const,
  ),
);

test.each(lacking)('reports the missing option %s, with an example', async (_, command, { flag, doc }) => {
  const others = requiredOptions(command).filter((spec) => spec.flag !== flag);
  const line = [...command.path, ...sampleArguments(command), ...others.flatMap(typeOption)];
  await expect(parseLine(line, {})).rejects.toMatchObject({
    kind: 'usage',
    message: `The option --${flag} is missing.`,
    hint: expect.stringMatching(`^--${flag}: ${doc}, as in: telctl .*--${flag} `),
  });
});

test.each(choosing)('one of %s is required', async (_, command, group) => {
  const ways = group.map((each) => (findOption(command, each) ? `--${each}` : each));
  for (const each of group)
    expect(findOption(command, each) !== undefined || isArgument(command, each)).toBe(true);
  const optional = Object.values(command.arguments).some((each) => each.optional);
  const others = (command.anyOf ?? []).flatMap((each) =>
    each === group ? [] : (findOption(command, each[0] ?? '') ?? []),
  );
  const line = [
    ...command.path,
    ...(optional ? [] : sampleArguments(command)),
    ...[...requiredOptions(command), ...others].flatMap(typeOption),
  ];
  await expect(parseLine(line, {})).rejects.toMatchObject({
    kind: 'usage',
    message: `Give ${ways.join(' or ')}.`,
  });
});

test.each(excluding)('%s is refused', async (_, command, spec, other) => {
  const beside = findOption(command, other);
  expect(beside !== undefined || isArgument(command, other), `${other} is no option or argument`).toBe(true);
  const own = typeof spec === 'string' ? ['x'] : typeOption(spec);
  const line = [
    ...command.path,
    ...requiredArguments(spec),
    ...(beside ? typeOption(beside) : ['x']),
    ...own,
  ];
  const name = beside ? `--${other}` : other;
  await expect(parseLine(line, {})).rejects.toMatchObject({
    kind: 'usage',
    message: `Give ${typeof spec === 'string' ? spec : `--${spec.flag}`} or ${name}, not both.`,
  });
});

test.each(needing)('%s is refused without its companion', async (_, command, spec, needs) => {
  for (const flag of needs) expect(findOption(command, flag), `--${flag} is no option`).toBeDefined();
  const message = `--${spec.flag} needs ${needs.map((flag) => `--${flag}`).join(' or ')}.`;
  await expect(parseLine([...command.path, ...typeOption(spec)], {})).rejects.toMatchObject({
    kind: 'usage',
    message,
  });
});

test('covers at least one relation of each kind', () => {
  expect(excluding.length).toBeGreaterThan(20);
  expect(needing.length).toBeGreaterThan(10);
});
