// biome-ignore-all lint/suspicious/noTemplateCurlyInString: one is among the hostile texts
// biome-ignore-all lint/suspicious/noControlCharactersInRegex: no output may have them
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openWorld } from '../../support/world.ts';

/** Texts that tables, spreadsheets, terminals and parsers often change. */
const hostile = [
  ...[
    'a\tb',
    '\ttab first',
    'line1\nline2',
    'cr\rx',
    'crlf\r\nx',
    'esc\u001b[31mred',
    'del\u007fx',
    'c1\u009bx',
  ],
  ...['bidi\u202eabc', 'isolate\u2066x', 'zero\u200bwidth', 'bom\ufeffx', '\ufeffbom first', 'nbsp\u00a0x'],
  ...[
    'ls\u2028x',
    'tag\u{e0041}x',
    'family\u{1f468}\u200d\u{1f469}',
    ' lead and trail ',
    "'apos",
    "'=apos",
    "''x",
  ],
  ...[
    '=1+1',
    '@x',
    '+1 555',
    '-',
    '?',
    "'?",
    '"quoted"',
    'a,b;c',
    '[1,2]',
    '{"a":1}',
    'null',
    'true',
    '0x1F',
  ],
  ...['lit\\tbackslash', '\\u202e', "'\\t", "'\\a\\tb", 'C:\\new', '${x}', '~', '# no', '1e3', '007'],
];

test('hostile text is the same in every format, and importing an unchanged list changes no user', async () => {
  const world = await openWorld();
  const users = hostile.map((first_name, index) => ({
    ...{ username: `user${index}`, first_name, last_name: 'L', password: 'Passw0rd-x1' },
  }));
  // Manifests would read ${x} as a reference.
  const typed = JSON.stringify(users).replaceAll('${', () => '$${');
  const made = await world.telctl('users create -f users.json', { files: { 'users.json': typed } });
  expect(made.code, made.stderr).toBe(0);
  const listUsers = async (format: string): Promise<string> => {
    const run = await world.telctl(`users list --limit 0 --fields username,first_name -o ${format}`);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e\u2066\u200b\u2028\ufeff]/);
    return run.stdout;
  };
  const before = await listUsers('json');
  const all: { username: string; first_name: string }[] = JSON.parse(before);
  for (const { username, first_name } of users)
    expect(all.find((each) => each.username === username)?.first_name).toBe(first_name);
  expect(parse(await listUsers('yaml'))).toEqual(all);
  expect(
    (await listUsers('ndjson'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(all);

  const csv = await listUsers('csv');
  const again = await world.telctl('users import list.csv --existing update --yes', {
    files: { 'list.csv': csv },
  });
  expect(again.code, again.stderr).toBe(0);
  expect(again.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(await listUsers('json')).toBe(before);
});
