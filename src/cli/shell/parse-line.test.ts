import { describe, expect, test } from 'vitest';
import { Failure, nextStep } from '../../base/failure.ts';
import { operationOf, resources } from '../../contract/catalogue.ts';
import { optionFields } from '../../contract/schema.ts';
import type { ArgumentSpecs, Command, OptionSpecs } from '../command/command.ts';
import { globalOptions } from '../commands/global-options.ts';
import { optionSynonyms, synonyms } from '../commands/synonyms.ts';
import { inputFor } from './input-for.ts';
import { parseLine, parseOptions } from './parse-line.ts';
import { allNouns } from './registry.ts';

async function troubleWith(line: string): Promise<string> {
  const error = await parseLine(line.split(' '), {}).catch((thrown: unknown) => thrown);
  if (!(error instanceof Failure)) throw new Error(`${line} parses`);
  expect(error.kind).toBe('usage');
  return error.message;
}

async function parsed(line: string) {
  const found = await parseLine(line.split(' '), {});
  if (found.kind !== 'run') throw new Error(`${line} asks for ${found.kind}`);
  return { ...found, path: found.command.path.join(' ') };
}

test('accepts global options before, between and after the words of a command', async () => {
  for (const line of [
    '-o json --profile dev users list',
    'users -ojson --profile=dev list',
    'users list --output json --profile dev',
  ]) {
    const { path, global } = await parsed(line);
    expect({ path, output: global.output, profile: global.profile }).toEqual({
      path: 'users list',
      output: 'json',
      profile: 'dev',
    });
  }
});

test('accepts a noun in the singular', async () => {
  expect((await parsed('user get alice')).path).toBe('users get');
});

test('keeps a plus sign and leading zeros in an argument', async () => {
  expect((await parsed('callflows get +15551234')).input.id).toBe('+15551234');
  expect((await parsed('callflows get 0100')).input.id).toBe('0100');
});

test('collects repeatable options, and uses the last value of other options', async () => {
  expect((await parsed('users list --filter a=1 --filter b=2')).input.filters).toEqual(['a=1', 'b=2']);
  expect((await parsed('users list -o json -o yaml')).global.output).toBe('yaml');
});

test('accepts an option value that looks like an option', async () => {
  expect((await parsed('users create --set first_name=x --first-name -y')).input.first_name).toBe('-y');
});

test('keeps a field option apart from a global option with a similar name', async () => {
  const { input, global } = await parsed('webhooks patch crm --webhook-retries 4 --retries 1');
  expect({ field: input.retries, repeats: global.retries }).toEqual({ field: 4, repeats: 1 });
  expect((await parsed('webhooks patch crm --webhook-retries 4')).global.retries).toBeUndefined();
});

test('freezes the input of a handler', async () => {
  expect(Object.isFrozen((await parsed('users get alice')).input)).toBe(true);
});

test.each([
  ['users lst', 'telctl users has no verb "lst". Did you mean "list"?'],
  ['users show alice', 'telctl users has no verb "show". Did you mean "get"?'],
  ['users rm alice', 'telctl users has no verb "rm". Did you mean "delete"?'],
  ['users add', 'telctl users has no verb "add". Did you mean "create"?'],
  ['version', 'telctl has no command "version". Did you mean "--version"?'],
  ['voicemail list', 'telctl has no command "voicemail". Did you mean "vmboxes"?'],
  ['phones list', 'telctl has no command "phones". Did you mean "devices"?'],
  ['usrs list', 'telctl has no command "usrs". Did you mean "users"?'],
  ['get users', 'telctl has no command "get". Did you mean "telctl users list"?'],
  ['show users', 'telctl show shows saved plans. Did you mean "telctl users list"?'],
  ['show user ben', 'telctl show shows saved plans. Did you mean "telctl users get"?'],
  ['rm user alice', 'telctl has no command "rm". Did you mean "telctl users delete"?'],
  ['use acme', 'telctl has no command "use". Did you mean "profiles use"?'],
  ['users list --json', 'telctl users list has no option "--json". Did you mean "--output json"?'],
  ['users patch bob --force', 'telctl users patch has no option "--force". Did you mean "--yes"?'],
  [
    'users create bob',
    'telctl users create takes no argument; "bob" is not expected. Did you mean "--username bob"?',
  ],
  ['users list --outptu json', 'telctl users list has no option "--outptu". Did you mean "--output"?'],
  [
    'users list -o jsn',
    '--output must be one of table, json, yaml, ndjson, csv, name, … (11 in all), not "jsn". Did you mean "json"?',
  ],
  ['users list --output', '--output needs a value: FORMAT.'],
  ['users list -qo', '--output needs a value: FORMAT.'],
  ['users list --yes=no', '--yes is a switch and takes no value.'],
  ['users list --retries two', '--retries must be a whole number, not "two".'],
  ['users list --timeout soon', '--timeout must be a number, not "soon".'],
  ['users list --retries -1', '--retries must be at least 0, not -1.'],
  ['users get', 'telctl users get needs ID: its id, or its username.'],
  ['users get alice bob', 'telctl users get takes one argument; "bob" is not expected.'],
  ['menus patch -- -dash --set name=x', 'telctl menus patch takes one argument; "--set" is not expected.'],
  ['menus delete -- -dash -y', 'telctl menus delete takes one argument; "-y" is not expected.'],
  [
    'menus create -- -dash',
    'telctl menus create takes no argument; "-dash" is not expected. Did you mean "--name -dash"?',
  ],
  ['users patch alice --enabled maybe', '--enabled must be true or false, not "maybe".'],
])('%s fails with one sentence', async (line, sentence) => {
  expect(await troubleWith(line)).toBe(sentence);
});

test('hints explain names that start with a dash, and the position of options', async () => {
  const hintOf = async (line: string) => {
    const failure = await parsed(line).catch((error) => error);
    return failure.hint.text ?? failure.hint;
  };
  expect(await hintOf('menus get -dash')).toBe(
    'To pass a name that starts with a dash: telctl menus get -- -dash',
  );
  expect(await hintOf('menus patch -- -dash --set name=x')).toBe(
    'Words after -- are arguments. Put options before it.',
  );
  const { shown } = await parsed('menus patch --name Main -- -dash');
  expect(shown).toBe('menus patch --name Main -- -dash');
});

test.each([
  [nextStep`menus get ${'-dash'}`, 'telctl menus get -- -dash'],
  [nextStep`menus get ${'-das h'} -o json`, "telctl menus get -o json -- '-das h'"],
  [
    nextStep`users patch ${'-a'} ${['--priv-level', 'user']} --confirm ${'-dash'}`,
    'telctl users patch -a --priv-level user --confirm -dash',
  ],
  [nextStep`menus get ${['-x1', '--account', '-acme']}`, 'telctl menus get --account -acme -- -x1'],
  [nextStep`undo ${'r1'} ${[]}`, 'telctl undo r1'],
])('a next step puts arguments that start with a dash after --', async (step, line) => {
  expect(step.line).toBe(line);
});

test('does not treat properties of Object.prototype as commands or options', async () => {
  expect(await troubleWith('constructor')).toContain('has no command "constructor"');
  expect(await troubleWith('users __proto__')).toContain('has no verb "__proto__"');
  expect(await troubleWith('users list --constructor')).toContain('has no option "--constructor"');
});

test('--help takes precedence over missing arguments', async () => {
  expect((await parseLine(['users', 'get', '--help'], {})).kind).toBe('help');
  expect((await parseLine(['-h', 'users'], {})).kind).toBe('help');
});

test('prints help for a noun without a verb', async () => {
  expect(await parseLine(['users'], {})).toMatchObject({
    kind: 'help',
    page: { kind: 'group', words: ['users'] },
  });
});

const sample = (options: OptionSpecs, given: ArgumentSpecs = {}): Command => ({
  path: ['sample'],
  summary: 'Sample',
  arguments: given,
  options,
  effect: 'local',
  examples: [],
  load: () => Promise.reject(new Error('not run')),
});

const inputOf = (command: Command, argv: readonly string[], env: Record<string, string> = {}) =>
  inputFor(
    'telctl sample',
    command,
    parseOptions('telctl sample', Object.values(command.options), argv),
    env,
  );

test('reads an omitted option from its variable, and accepts an empty value', () => {
  const command = sample({
    url: { flag: 'url', value: 'URL', doc: 'URL', env: 'SAMPLE_URL' },
    size: { flag: 'size', value: 'N', type: 'integer', doc: 'Size', env: 'SAMPLE_SIZE' },
  });
  expect(inputOf(command, [], { SAMPLE_URL: 'x', SAMPLE_SIZE: '3' })).toEqual({ url: 'x', size: 3 });
  expect(inputOf(command, ['--url', ''])).toEqual({ url: '', size: undefined });
  expect(() => inputOf(command, [], { SAMPLE_SIZE: 'big' })).toThrow(
    'SAMPLE_SIZE must be a whole number, not "big".',
  );
});

test('passes arguments after -- to the handler unchanged', () => {
  const command = sample({}, { words: { name: 'COMMAND', doc: 'Command', rest: true } });
  expect(inputOf(command, ['--', 'sh', '-c', '--', '-o'])).toEqual({ words: ['sh', '-c', '--', '-o'] });
});

test('accepts options that start with no-', async () => {
  expect((await parsed('users list --no-input')).global.noInput).toBe(true);
  expect((await parsed('login --sso google --no-browser')).input).toMatchObject({ noBrowser: true });
});

test('every synonym maps to existing command words and options', async () => {
  const commands = (await Promise.all(allNouns().map((noun) => noun.commands()))).flat();
  const words = new Set([...commands.flatMap(({ path }) => path), ...allNouns().map(({ name }) => name)]);
  const flags = new Set(
    [globalOptions, ...commands.map((command) => command.options)].flatMap((specs) =>
      Object.values(specs).map(({ flag }) => `--${flag}`),
    ),
  );
  for (const meant of [...synonyms.values()].flat())
    for (const word of meant.split(' ')) expect([...words, ...flags]).toContain(word);
  for (const meant of [...optionSynonyms.values()].flat())
    expect([...flags, '--fields'], meant).toContain(meant.split(' ')[0]);
});

describe('a field with the name of a global option', () => {
  const flags: readonly string[] = Object.values(globalOptions).map(({ flag }) => flag);
  const commandsWith = async () =>
    (await Promise.all(allNouns().map((noun) => noun.commands()))).flat().flatMap((command) => {
      const own = Object.values(command.options).filter(({ beside }) => beside !== undefined);
      return own.map((spec) => ({ command, spec }));
    });

  test('has an option with another name in every command', async () => {
    const found = (await commandsWith()).map(({ command, spec }) => `${command.shows} ${spec.beside?.flag}`);
    const wanted = resources.flatMap((resource) =>
      operationOf(resource, 'create')
        ? optionFields(resource)
            .filter(({ flag }) => flags.includes(flag))
            .map(({ flag }) => `${resource.name} ${flag}`)
        : [],
    );
    expect(wanted.length).toBeGreaterThan(3);
    expect([...new Set(found)]).toEqual(expect.arrayContaining(wanted));
  });

  test('causes a note if the global option is used after the command without the field option', async () => {
    for (const { command, spec } of await commandsWith()) {
      const { flag = '', whose } = spec.beside ?? {};
      const needed = Object.values(command.options).filter(({ required }) => required);
      const given = [
        ...Object.values(command.arguments).map(({ name }) => name),
        ...needed.map((each) => `--${each.flag}=x`),
      ];
      const notesOf = async (argv: readonly string[]) => {
        const line = await parseLine(argv, {});
        return line.kind === 'run' ? line.notes : [];
      };
      const note = `--${flag} is a global option. To set the field of the ${whose}, use --${spec.flag}.`;
      expect(await notesOf([...command.path, ...given, `--${flag}=5`])).toEqual([note]);
      expect(await notesOf([...command.path, `--${flag}`, '5', ...given])).toEqual([note]);
      expect(await notesOf([`--${flag}`, '5', ...command.path, ...given])).toEqual([]);
      expect(await notesOf([...command.path, ...given, `--${flag}=5`, `--${spec.flag}=3`])).toEqual([]);
    }
  });
});
