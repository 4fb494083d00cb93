import { dirname, resolve } from 'node:path';
import type { Host } from '../../base/host/host.ts';
import { isTruthyText } from '../../base/wording.ts';
import { chooseIdentity, profilePlace } from './choose-identity.ts';
import { checkCountry } from './country-setting.ts';
import { type Profile, readProfiles } from './profile-store.ts';
import {
  type DirectoryKey,
  type DocumentFormat,
  documentFormats,
  firstSet,
  logBounds,
  normaliseBaseUrl,
  outputFormats,
  parseChoice,
  parseNumberSetting,
  parsePrefix,
  parseSwitch,
  readDirectorySettings,
  type SettingPlace,
  type Settings,
} from './settings.ts';
import { checkStateAddress, isDatabase } from './state-address.ts';

export interface SettingOptions {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly account?: string | undefined;
  readonly output?: string | undefined;
  readonly noInput?: boolean | undefined;
  /** Timeout in seconds. */
  readonly timeout?: number | undefined;
  readonly retries?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly caFile?: string | undefined;
  readonly clientCert?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly allowHttp?: boolean | undefined;
  readonly noPager?: boolean | undefined;
  readonly color?: string | undefined;
  readonly state?: string | undefined;
  readonly country?: string | undefined;
}

const colors = ['auto', 'always', 'never'] as const;
const timeoutBounds = { least: 0.001, most: 86_400, scale: 1000 };
const retryBounds = { least: 0, most: 100, whole: true };
const concurrencyBounds = { least: 1, most: 256, whole: true };

/**
 * Resolves every setting from the option, `TELCTL_*` variable, `.telctl.yaml`, profile or default (Interface,
 * invocation). Throws `Failure` (`usage`) with the source of an invalid value.
 */
export function resolveSettings({ options, host }: { options: SettingOptions; host: Host }): Settings {
  const places = settingPlaces(host);
  const { option, variable, directory } = places;
  const { profile, baseUrl, own, service } = chooseIdentity(host.env, readProfiles(host), {
    named: [option('profile', options.profile), variable('TELCTL_PROFILE')],
    directory: directory('profile'),
    addresses: {
      option: address(option('base-url', options.baseUrl)),
      variable: address(variable('TELCTL_BASE_URL')),
    },
  });
  const sources: Sources = {
    ...places,
    options,
    host,
    own,
    service,
    unattended: unattendedPlaces(places, options),
  };
  return {
    profile,
    baseUrl,
    account: firstSet<string | undefined>(undefined, [
      option('account', options.account),
      variable('TELCTL_ACCOUNT'),
      directory('account'),
      profilePlace(own, own?.account),
    ]),
    prefix: firstSet<string | undefined>(undefined, [
      prefix({ source: 'environment', from: 'TELCTL_PREFIX', value: host.env.TELCTL_PREFIX }),
      profilePlace(service, service?.prefix),
    ]),
    ...outputSettings(sources),
    ...requestSettings(sources),
    ...connectionSettings(sources),
    ...recordSettings(sources),
    ...displaySettings(sources),
  };
}

interface Sources extends ReturnType<typeof settingPlaces> {
  readonly options: SettingOptions;
  readonly host: Host;
  readonly own: Profile | undefined;
  readonly service: Profile | undefined;
  /** Places that disable questions and the pager. */
  readonly unattended: readonly SettingPlace<boolean>[];
}

const unattendedPlaces = (
  { option, variable }: ReturnType<typeof settingPlaces>,
  { noInput }: SettingOptions,
) => [option('no-input', noInput), parseSwitch(variable('TELCTL_NO_INPUT')), parseSwitch(variable('CI'))];

const outputSettings = ({ option, variable, directory, options, host, own, unattended }: Sources) => ({
  output: firstSet<DocumentFormat>('table', [
    parseChoice(documentFormats, option('output', options.output)),
    parseChoice(documentFormats, variable('TELCTL_OUTPUT')),
    parseChoice(outputFormats, directory('output')),
    parseChoice(outputFormats, profilePlace(own, own?.output)),
    assistantFormat(host),
  ]),
  noInput: firstSet(false, [
    ...unattended,
    { source: 'default', from: 'no terminal', value: hasTerminal(host) ? undefined : true },
  ]),
});

const requestSettings = ({ option, variable, options }: Sources) => ({
  timeoutMs: firstSet(30_000, [
    parseNumberSetting(option('timeout', options.timeout), timeoutBounds),
    parseNumberSetting(variable('TELCTL_TIMEOUT'), timeoutBounds),
  ]),
  retries: firstSet(3, [
    parseNumberSetting(option('retries', options.retries), retryBounds),
    parseNumberSetting(variable('TELCTL_RETRIES'), retryBounds),
  ]),
  concurrency: firstSet(8, [
    parseNumberSetting(option('concurrency', options.concurrency), concurrencyBounds),
    parseNumberSetting(variable('TELCTL_CONCURRENCY'), concurrencyBounds),
  ]),
});

function connectionSettings({ option, variable, options, service }: Sources) {
  const clientCert = firstSet<string | undefined>(undefined, [
    option('client-cert', options.clientCert),
    variable('TELCTL_CLIENT_CERT'),
    profilePlace(service, service?.clientCert),
  ]);
  const clientKeys = [
    option('client-key', options.clientKey),
    variable('TELCTL_CLIENT_KEY'),
    profilePlace(service, service?.clientKey),
  ];
  return {
    caFile: firstSet<string | undefined>(undefined, [
      option('ca-file', options.caFile),
      variable('TELCTL_CA_FILE'),
      profilePlace(service, service?.caFile),
    ]),
    clientCert,
    // A key only matches its own certificate.
    clientKey: firstSet<string | undefined>(
      undefined,
      clientKeys.filter(({ source }) => clientCert.value === undefined || source === clientCert.source),
    ),
    // Applies to one call, so variables and profiles cannot set it.
    insecure: firstSet(false, [option('insecure', options.insecure)]),
    allowHttp: firstSet(false, [
      option('allow-http', options.allowHttp),
      parseSwitch(variable('TELCTL_ALLOW_HTTP')),
      profilePlace(service, service?.allowHttp),
    ]),
  };
}

const recordSettings = ({ option, variable, directory, options, own }: Sources) => ({
  state: firstSet<string | undefined>(undefined, [
    stateAddress(option('state', options.state)),
    stateAddress(variable('TELCTL_STATE')),
    stateAddress(directory('state')),
  ]),
  logDays: firstSet(90, [
    parseNumberSetting(variable('TELCTL_LOG_DAYS'), logBounds),
    parseNumberSetting(profilePlace(own, own?.logDays), logBounds),
  ]),
  country: firstSet<string | undefined>(undefined, [
    checkCountry(option('country', options.country)),
    checkCountry(variable('TELCTL_COUNTRY')),
    checkCountry(directory('country')),
    checkCountry(profilePlace(own, own?.country)),
  ]),
});

const displaySettings = ({ option, options, host, unattended }: Sources) => ({
  pager: firstSet('less', [
    disabledPager(option('no-pager', options.noPager)),
    ...unattended.map(disabledPager),
    ...pagerVariables(host),
  ]),
  color: firstSet<(typeof colors)[number]>('auto', [
    parseChoice(colors, option('color', options.color)),
    ...colorVariables(host),
  ]),
});

/** Assistants get another default format than people. */
function assistantFormat({ env }: Host): SettingPlace<DocumentFormat> {
  const from = detectAssistant(env);
  return { source: 'environment', from: from ?? '', value: from === undefined ? from : 'json' };
}

function settingPlaces(host: Host) {
  const directory = readDirectorySettings(host);
  return {
    option: <T>(name: string, value: T | undefined): SettingPlace<T> => ({
      source: 'option',
      from: `--${name}`,
      value,
    }),
    variable: (name: string): SettingPlace<string> => ({
      source: 'environment',
      from: name,
      value: host.env[name] || undefined,
    }),
    directory: (key: DirectoryKey): SettingPlace<string> => ({
      source: 'directory',
      from: directory?.path ?? '',
      value: directory?.values[key],
    }),
  };
}

const address = (place: SettingPlace<string>): SettingPlace<string> => ({
  ...place,
  value: place.value === undefined ? undefined : normaliseBaseUrl(place.value, place.from),
});

/** Removes the password. Throws `Failure` (`usage`) for an invalid address. */
function stateAddress(place: SettingPlace<string>): SettingPlace<string> {
  const { value, source, from } = place;
  if (value === undefined) return place;
  const address = checkStateAddress(value, from, source === 'environment');
  // A relative folder in a file is relative to that file.
  if (source !== 'directory' || isDatabase(address)) return { ...place, value: address };
  return { ...place, value: `file:${resolve(dirname(from), address.replace(/^file:(?:\/\/)?/, ''))}` };
}

const prefix = (place: SettingPlace<string>): SettingPlace<Profile['prefix']> => ({
  ...place,
  value: place.value === undefined ? undefined : parsePrefix(place.value, place.from),
});

const hasTerminal = ({ stdin, stderr }: Host): boolean => stderr.isTTY === true && stdin.isTTY === true;

const noPagers = new Set(['', 'cat', 'off', 'none']);

const disabledPager = ({ value, ...place }: SettingPlace<boolean>): SettingPlace<string> => ({
  ...place,
  value: value ? 'none' : undefined,
});

/**
 * Returns the variables that set a pager. If the terminal cannot redraw its screen, only telctl's own variable
 * counts. A dumb terminal never has a pager.
 */
function pagerVariables({ env }: Host): readonly SettingPlace<string>[] {
  const source = 'environment';
  const pagerVariable = (from: string): SettingPlace<string> => {
    const line = env[from]?.trim();
    return { source, from, value: line !== undefined && noPagers.has(line) ? 'none' : line };
  };
  return [
    disabledPager({ source, from: 'TERM', value: env.TERM === 'dumb' }),
    pagerVariable('TELCTL_PAGER'),
    disabledPager({ source, from: 'TELCTL_ACCESSIBLE', value: isTruthyText(env.TELCTL_ACCESSIBLE ?? '') }),
    pagerVariable('PAGER'),
  ];
}

/** Other programs define these variables (no-color.org, CLICOLOR). */
function colorVariables({ env }: Host): readonly SettingPlace<(typeof colors)[number]>[] {
  const colorPlace = (from: string, value: 'always' | 'never', on: boolean) => ({
    source: 'environment' as const,
    from,
    value: on ? value : undefined,
  });
  const forced = env.CLICOLOR_FORCE ?? '';
  return [
    colorPlace('NO_COLOR', 'never', (env.NO_COLOR ?? '') !== ''),
    colorPlace('CLICOLOR_FORCE', 'always', forced !== '' && forced !== '0'),
    colorPlace('TERM', 'never', env.TERM === 'dumb'),
  ];
}

/** Assistants set these variables when they run commands. Terminals of people do not. */
export const assistants = [
  'AI_AGENT',
  'CLAUDECODE',
  'CURSOR_AGENT',
  'GEMINI_CLI',
  'CODEX_SANDBOX',
  'CODEX_THREAD_ID',
  'CLINE_ACTIVE',
  'AUGMENT_AGENT',
  'OPENCODE',
] as const;

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the variable that shows that an assistant reads the output. `TELCTL_AGENT` takes precedence. */
export function detectAssistant(env: Env): string | undefined {
  const { TELCTL_AGENT: own = '' } = env;
  if (own !== '') return isTruthyText(own) ? 'TELCTL_AGENT' : undefined;
  return assistants.find((name) => isTruthyText(env[name] ?? ''));
}

/** Returns the format of errors that occur before the settings are resolved. */
export const errorFormat = (typed: string | undefined, env: Env): string | undefined =>
  typed ?? env.TELCTL_OUTPUT ?? (detectAssistant(env) === undefined ? undefined : 'json');
