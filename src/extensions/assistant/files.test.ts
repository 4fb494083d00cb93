import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../../../test/support/assistant.ts';
import { recordingMachine } from '../../../test/support/what-it-did.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { type Files, files } from '../../base/host/files.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { doesOfInput } from '../../cli/shell/self/list-commands.ts';
import { toolsFor } from './tools.ts';

const canary = 'canary-7f3a';

/** A working folder full of ways out: links to what telctl keeps, to a file and a folder elsewhere, and a pipe. */
function layTraps({ folders: { cwd, home } }: World): readonly string[] {
  const outside = join(home, '..', 'outside');
  mkdirSync(outside);
  for (const name of ['notes.yaml', 'notes.csv', 'notes.json'])
    writeFileSync(join(outside, name), `username,${canary}\n${canary},${canary}\n`);
  symlinkSync(join(outside, 'notes.yaml'), join(cwd, 'link.yaml'));
  symlinkSync(outside, join(cwd, 'folder'));
  symlinkSync(join(home, '.config', 'telctl', 'config.json'), join(cwd, 'own.json'));
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(cwd, 'pipe.yaml')]);
  return [
    ...[
      'link.yaml',
      'folder',
      'folder/notes.csv',
      'own.json',
      'pipe.yaml',
      '/dev/zero',
      '../outside/notes.json',
    ],
    ...[join(home, '.config', 'telctl', 'config.json'), join(outside, 'notes.csv')],
  ];
}

const runCommand = await (await toolsFor({ writes: true, deletes: true })).runCommand();
/** Each way to name a file: a command, and the option or the argument that takes it. */
const ways = [...runCommand.verbs].flatMap(([words, command]) => [
  ...Object.values(command.options)
    .filter((spec) => doesOfInput(spec).includes('reads-files'))
    .map(({ flag, repeat }) => ({ words, flag, repeat })),
  ...Object.values(command.arguments).flatMap((spec, index) =>
    doesOfInput(spec).includes('reads-files') ? [{ words, index }] : [],
  ),
]);

test('every file option reads only below the real working folder and writes nothing', async () => {
  const world = await openWorld();
  await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  const traps = layTraps(world);
  const { cwd, home } = world.folders;
  const machine = recordingMachine(cwd, [home]);
  const { call } = await connect(world, 'mcp --allow-writes --allow-deletes', machine.run);
  expect(ways.length).toBeGreaterThan(100);
  for (const [position, way] of ways.entries())
    for (const trap of traps.filter((_, index) => index % 3 === position % 3)) {
      const args: JsonObject =
        'flag' in way
          ? { options: { [String(way.flag)]: way.repeat ? [trap] : trap } }
          : { arguments: [...Array.from({ length: way.index }, () => 'alice'), trap] };
      const answer = await call('run_command', { ...args, command: way.words });
      const where = `${way.words} ${JSON.stringify(args)}: ${JSON.stringify(answer)}`;
      // Folders that are allowed besides are no files that are read.
      if (!('flag' in way) || way.flag !== 'allow-files') expect(answer.isError, where).toBe(true);
      expect(where).not.toContain(canary);
      expect(where).not.toContain(world.seed.apiKey);
    }
  const real = machine.done.filter(([word, path]) => word !== 'reads-files' || !path.startsWith(`${cwd}/`));
  expect(real).toEqual([]);
});

test.each([
  ['the root of the disk', () => '/'],
  ['a home folder', ({ folders }: World) => folders.home],
  ['a folder above those in which telctl keeps keys', ({ folders }: World) => join(folders.home, '.config')],
])('an assistant started in %s reads no file', async (where, folder) => {
  const world = await openWorld();
  const cwd = folder(world);
  const machine = recordingMachine(cwd, []);
  const { call } = await connect(world, 'mcp', { ...machine.run, folders: { ...world.folders, cwd } });
  for (const file of ['etc/hostname', 'telctl/config.json', '.bashrc']) {
    const { error } = await call('run_command', { command: 'validate', options: { file: [file] } });
    expect(isObject(error) ? error.message : undefined).toMatch(new RegExp(`${where}|belongs to telctl`));
  }
});

test('a file that is replaced by a link after the check is not read', async () => {
  const world = await openWorld();
  const { cwd, home } = world.folders;
  const outside = join(home, '..', 'outside');
  mkdirSync(outside);
  mkdirSync(join(cwd, 'folder'));
  const record = `name: ${canary}\nunknown_field: ${canary}\n`;
  for (const path of [join(outside, 'menu.yaml'), join(cwd, 'menu.yaml'), join(cwd, 'folder', 'menu.yaml')])
    writeFileSync(path, path.startsWith(cwd) ? 'name: main\n' : record);
  linkSync(join(outside, 'menu.yaml'), join(cwd, 'second-name.yaml'));
  let place = '';
  const swapped: Partial<Files> = {
    within(folder, options) {
      const inFolder = files.within(folder, options);
      const swap = (): void => {
        rmSync(place, { recursive: true });
        symlinkSync(place.endsWith('.yaml') ? join(outside, 'menu.yaml') : outside, place);
      };
      return {
        ...inFolder,
        readBytes(path, most) {
          if (place !== '') swap();
          return inFolder.readBytes(path, most);
        },
      };
    },
  };
  const { call } = await connect(world, 'mcp --allow-writes', { disk: swapped });
  for (const [file, taken] of [
    ['menu.yaml', join(cwd, 'menu.yaml')],
    ['folder/menu.yaml', join(cwd, 'folder')],
    ['second-name.yaml', ''],
  ]) {
    place = taken ?? '';
    const answer = await call('run_command', { command: 'menus create', options: { file: [file ?? ''] } });
    expect(answer.isError, JSON.stringify(answer)).toBe(true);
    expect(JSON.stringify(answer)).toMatch(/a link is in its path now|several names/);
    expect(JSON.stringify(answer)).not.toContain(canary);
  }
});

test('a read-only assistant gets no variable or file through a manifest or a record', async () => {
  const world = await openWorld();
  const { cwd } = world.folders;
  const env = { TOKEN: canary, PIN: '7' };
  const users = `{ "\${env.TOKEN}": { username: "\${env.TOKEN}", first_name: "\${file.kept.txt}", timezone: "\${env.TOKEN}" } }`;
  writeFileSync(join(cwd, 'kept.txt'), `${canary}-in-a-file\n`);
  writeFileSync(join(cwd, 'm.yaml'), `account: "\${env.TOKEN}"\nusers: ${users}\n`);
  writeFileSync(
    join(cwd, 'n.yaml'),
    `users:\n  a: { username: "\${env.TOKEN}", first_name: A, last_name: B, timezone: UTC }\n`,
  );
  writeFileSync(join(cwd, 'menu.yaml'), `name: M \${env.TOKEN}\nretries: \${env.PIN}\n`);
  const { call } = await connect(world, 'mcp --allow-writes', { env });
  for (const [command, file] of [
    ...['validate', 'plan', 'diff', 'fmt', 'callflows lint', 'audit'].flatMap((each) => [
      [each, 'm.yaml'],
      [each, 'n.yaml'],
    ]),
    ['menus create', 'menu.yaml'],
  ]) {
    const answer = JSON.stringify(
      await call('run_command', { command: command ?? '', options: { file: [file ?? ''] } }),
    );
    expect(answer, command).not.toContain(canary);
    expect(answer, command).not.toContain('"retries":7');
    if (command === 'menus create') expect(answer).toContain(`"retries":"\${env.PIN}"`);
  }
});
