import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { seededRandom, turnedClock } from '../../../test/support/clock.ts';
import { fakeHost, makeFolders, writeFiles } from '../../../test/support/fake-host.ts';
import { resolveSettings, type SettingOptions } from './resolve-settings.ts';
import { isEnvironmentFor, isSameOrigin } from './settings.ts';

interface Given {
  readonly options?: SettingOptions;
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: unknown;
  /** Text of a `.telctl.yaml` above the working folder. */
  readonly directory?: string;
  readonly tty?: boolean;
}

const prod = {
  baseUrl: 'https://api.example',
  prefix: '',
  method: 'api-key',
  accountId: 'a1',
  output: 'yaml',
};
const twoProfiles = {
  default: 'prod',
  profiles: { prod, other: { ...prod, baseUrl: 'https://other.example' } },
};

function settings({ options = {}, env = {}, config, directory, tty = false }: Given = {}) {
  const folders = makeFolders();
  onTestFinished(() => folders.remove());
  if (config !== undefined) {
    const text = typeof config === 'string' ? config : JSON.stringify(config);
    writeFiles(folders.home, { '.config/telctl/config.json': text });
  }
  if (directory !== undefined) writeFiles(folders.cwd, { '.telctl.yaml': directory });
  const below = { ...folders, cwd: join(folders.cwd, 'deep', 'down') };
  writeFiles(below.cwd, { 'a-file': '' });
  const { host } = fakeHost({ folders: below, clock: turnedClock(), random: seededRandom(), env, tty });
  return resolveSettings({ options, host });
}

test('an option overrides a variable, then come directory, profile and default', () => {
  const everything = {
    options: { output: 'csv' },
    env: { TELCTL_OUTPUT: 'json' },
    directory: 'output: ndjson',
    config: twoProfiles,
  } as const;
  const { options: _, ...noOption } = everything;
  const { env: __, ...noVariable } = noOption;
  const { directory: ___, ...onlyProfile } = noVariable;
  expect(settings(everything).output).toEqual({ value: 'csv', source: 'option', from: '--output' });
  expect(settings(noOption).output).toEqual({ value: 'json', source: 'environment', from: 'TELCTL_OUTPUT' });
  expect(settings(noVariable).output).toMatchObject({ value: 'ndjson', source: 'directory' });
  expect(settings(onlyProfile).output).toEqual({ value: 'yaml', source: 'profile', from: 'profile prod' });
  expect(settings().output).toEqual({ value: 'table', source: 'default', from: '' });
});

test('a directory file sets the profile, quoted or unquoted', () => {
  const found = settings({
    directory: '# ours\nprofile: "other"   # the second\naccount: branch\n',
    config: twoProfiles,
  });
  expect(found.profile).toMatchObject({ value: 'other', source: 'directory' });
  expect(found.account).toMatchObject({ value: 'branch', source: 'directory' });
  expect(found.baseUrl.value).toBe('https://other.example');
});

test.each([
  ['api_key: abc', '"api_key"'],
  ['profile: prod\nbase_url: https://evil.example', ':2 sets "base_url"'],
  ['profile: [a]', 'plain text'],
  ['profile: a\nprofile: b', 'second time'],
  ['just words', ':1'],
])('refuses a directory file with %j and names the line', (directory, said) => {
  expect(() => settings({ directory })).toThrow(expect.objectContaining({ kind: 'usage' }));
  expect(() => settings({ directory })).toThrow(said);
});

test('--profile uses the service of the profile instead of TELCTL_BASE_URL', () => {
  const env = { TELCTL_BASE_URL: 'http://127.0.0.1:1' };
  expect(settings({ env, config: twoProfiles }).baseUrl.value).toBe('http://127.0.0.1:1');
  expect(settings({ env, config: twoProfiles, options: { profile: 'prod' } }).baseUrl.value).toBe(
    'https://api.example',
  );
});

test('strips the slash and version prefix from an address', () => {
  expect(settings({ options: { baseUrl: 'https://API.example:8443/v2/' } }).baseUrl.value).toBe(
    'https://api.example:8443',
  );
});

test.each([
  ['localhost:8000', 'http://localhost:8000'],
  ['127.0.0.1:8000/v2', 'http://127.0.0.1:8000'],
  ['api.example', 'https://api.example'],
  ['sandbox:8000', 'https://sandbox:8000'],
])('completes the address %s', (baseUrl, whole) => {
  expect(settings({ options: { baseUrl } }).baseUrl.value).toBe(whole);
});

test.each([
  'nowhere',
  'javascript:alert(1)',
  'ftp://api.example',
  'https://user:secret@api.example',
  'https://user@api.example',
])('rejects the address %s', (baseUrl) => {
  expect(() => settings({ options: { baseUrl } })).toThrow(expect.objectContaining({ kind: 'usage' }));
});

test('addresses with another scheme, host or port belong to another service', () => {
  const own = 'https://api.example';
  for (const same of [own, `${own}:443`, `${own}/v2/`, 'https://API.example/tel'])
    expect([same, isSameOrigin(own, same)]).toEqual([same, true]);
  for (const other of [
    'http://api.example',
    `${own}:8443`,
    `${own}.evil.example`,
    'https://example',
    'api.example',
    '',
  ]) {
    expect([other, isSameOrigin(own, other)]).toEqual([other, false]);
    expect(isEnvironmentFor({ TELCTL_BASE_URL: own }, other)).toBe(false);
  }
  expect(isEnvironmentFor({}, own)).toBe(true);
});

test('never prompts without a terminal, in CI or with --no-input', () => {
  expect(settings({ tty: true }).noInput.value).toBe(false);
  expect(settings().noInput).toMatchObject({ value: true, from: 'no terminal' });
  expect(settings({ tty: true, env: { CI: 'true' } }).noInput).toMatchObject({ value: true, from: 'CI' });
  expect(settings({ tty: true, env: { CI: 'false' } }).noInput.value).toBe(false);
  expect(settings({ tty: true, options: { noInput: true } }).noInput).toMatchObject({
    value: true,
    source: 'option',
  });
});

test('converts seconds to milliseconds and rejects values out of range with their source', () => {
  expect(settings({ options: { timeout: 1.5 } }).timeoutMs.value).toBe(1500);
  expect(settings({ env: { TELCTL_TIMEOUT: '20' } }).timeoutMs.value).toBe(20_000);
  expect(() => settings({ env: { TELCTL_RETRIES: 'many' } })).toThrow('TELCTL_RETRIES');
  expect(() => settings({ options: { concurrency: 0 } })).toThrow('--concurrency');
});

test.each(['{', '[]', '{"profiles":{"prod":{"baseUrl":1}}}'])(
  'names a config file that contains %s',
  (config) => {
    expect(() => settings({ config })).toThrow(/config\.json is damaged/);
  },
);

test('names an unreadable .telctl.yaml', () => {
  const folders = makeFolders();
  onTestFinished(() => folders.remove());
  writeFiles(join(folders.cwd, '.telctl.yaml'), { 'a-file': '' });
  const { host } = fakeHost({ folders, clock: turnedClock(), random: seededRandom() });
  expect(() => resolveSettings({ options: {}, host })).toThrow(
    expect.objectContaining({
      kind: 'usage',
      message: expect.stringContaining('.telctl.yaml cannot be read'),
    }),
  );
});

test('reads a client key from the same source as its certificate', () => {
  const pair = { clientCert: '/c.pem', clientKey: '/k.pem' };
  const config = { default: 'prod', profiles: { prod: { ...prod, ...pair } } };
  const kept = settings({ config });
  expect([kept.clientCert.value, kept.clientKey.value]).toEqual(['/c.pem', '/k.pem']);
  const other = settings({ config, env: { TELCTL_CLIENT_CERT: '/both.pem' } });
  expect([other.clientCert.value, other.clientKey.value]).toEqual(['/both.pem', undefined]);
});

test.each<[Readonly<Record<string, string>>, boolean, unknown]>([
  [{}, false, { value: 'less', source: 'default', from: '' }],
  [{ PAGER: 'more' }, false, { value: 'more', source: 'environment', from: 'PAGER' }],
  [{ PAGER: 'more', TELCTL_PAGER: 'lv -c' }, false, { value: 'lv -c', from: 'TELCTL_PAGER' }],
  [{ PAGER: 'more', TELCTL_PAGER: '' }, false, { value: 'none', from: 'TELCTL_PAGER' }],
  [{ PAGER: 'more', TELCTL_ACCESSIBLE: '1' }, false, { value: 'none', from: 'TELCTL_ACCESSIBLE' }],
  [{ TELCTL_PAGER: 'more', TELCTL_ACCESSIBLE: '1' }, false, { value: 'more', from: 'TELCTL_PAGER' }],
  [{ TELCTL_PAGER: 'more', TERM: 'dumb' }, false, { value: 'none', from: 'TERM' }],
  [{ TELCTL_PAGER: 'more', CI: 'true' }, false, { value: 'none', from: 'CI' }],
  [{ TELCTL_PAGER: 'more' }, true, { value: 'none', source: 'option', from: '--no-pager' }],
])('resolves the pager for %j with --no-pager %s', (env, noPager, expected) => {
  const folders = makeFolders();
  onTestFinished(() => folders.remove());
  const { host } = fakeHost({ folders, clock: turnedClock(), random: seededRandom(), tty: true });
  const options = noPager ? { noPager } : {};
  expect(resolveSettings({ options, host: { ...host, env } }).pager).toMatchObject({ ...Object(expected) });
});
