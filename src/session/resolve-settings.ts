import { Failure } from '../base/failure.ts';
import { maskedUrl } from '../contract/secrets.ts';
import type { Host } from '../host/host.ts';
import { normaliseBaseUrl } from './base-url.ts';
import { prefixOf } from './detect-prefix.ts';
import { readDirectorySettings } from './directory-settings.ts';
import type { Profile } from './profile.ts';
import { readProfiles } from './profile-store.ts';
import { choice, first, flag, number, type Place } from './setting-places.ts';
import { type DocumentFormat, documentFormats, outputFormats, type Settings } from './settings.ts';

/** The options that are settings, as they were given; `undefined`: not given. */
export interface SettingOptions {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly account?: string | undefined;
  readonly output?: string | undefined;
  readonly noInput?: boolean | undefined;
  /** In seconds. */
  readonly timeout?: number | undefined;
  readonly retries?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly caFile?: string | undefined;
  readonly clientCert?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly allowHttp?: boolean | undefined;
  readonly color?: string | undefined;
  readonly state?: string | undefined;
}

const colors = ['auto', 'always', 'never'] as const;
const timeoutBounds = { least: 0.001, most: 86_400, scale: 1000 };
const retryBounds = { least: 0, most: 100, whole: true };
const logBounds = { least: 1, most: 36_500, whole: true };
const concurrencyBounds = { least: 1, most: 256, whole: true };

/**
 * Resolves every setting and remembers where each came from: option, `TELCTL_*` variable, `.telctl.yaml`, profile,
 * default (Interface, invocation). Throws `Failure` (`usage`) naming the place of a value that cannot be.
 */
export function resolveSettings({ options, host }: { options: SettingOptions; host: Host }): Settings {
  const places = placesOf(host);
  const { option, variable, directory, stored } = places;
  const profile = first<string | undefined>(undefined, [
    option('profile', options.profile),
    variable('TELCTL_PROFILE'),
    directory('profile'),
    { source: 'default', from: 'user config', value: stored.defaultName },
  ]);
  const kept = profile.value === undefined ? undefined : stored.profiles.get(profile.value);
  const inProfile = <T>(value: T | undefined): Place<T> => ({
    source: 'profile',
    from: `profile ${profile.value}`,
    value,
  });
  // A profile named on the command line is meant with its own service, whatever the environment points to.
  const services = [address(variable('TELCTL_BASE_URL')), inProfile(kept?.baseUrl)];
  const clientCert = first<string | undefined>(undefined, [
    option('client-cert', options.clientCert),
    variable('TELCTL_CLIENT_CERT'),
    inProfile(kept?.clientCert),
  ]);
  const clientKeys = [
    option('client-key', options.clientKey),
    variable('TELCTL_CLIENT_KEY'),
    inProfile(kept?.clientKey),
  ];
  return {
    profile,
    baseUrl: first<string | undefined>(undefined, [
      address(option('base-url', options.baseUrl)),
      ...(profile.source === 'option' ? services.toReversed() : services),
    ]),
    account: first<string | undefined>(undefined, [
      option('account', options.account),
      variable('TELCTL_ACCOUNT'),
      directory('account'),
      inProfile(kept?.account),
    ]),
    prefix: first<string | undefined>(undefined, [
      prefix({ source: 'environment', from: 'TELCTL_PREFIX', value: host.env.TELCTL_PREFIX }),
      inProfile(kept?.prefix),
    ]),
    output: first<DocumentFormat>('table', [
      choice(documentFormats, option('output', options.output)),
      choice(documentFormats, variable('TELCTL_OUTPUT')),
      choice(outputFormats, directory('output')),
      choice(outputFormats, inProfile(kept?.output)),
    ]),
    noInput: first(false, [
      option('no-input', options.noInput),
      flag(variable('TELCTL_NO_INPUT')),
      flag(variable('CI')),
      { source: 'default', from: 'no terminal', value: hasTerminal(host) ? undefined : true },
    ]),
    timeoutMs: first(30_000, [
      number(option('timeout', options.timeout), timeoutBounds),
      number(variable('TELCTL_TIMEOUT'), timeoutBounds),
    ]),
    retries: first(3, [
      number(option('retries', options.retries), retryBounds),
      number(variable('TELCTL_RETRIES'), retryBounds),
    ]),
    concurrency: first(8, [
      number(option('concurrency', options.concurrency), concurrencyBounds),
      number(variable('TELCTL_CONCURRENCY'), concurrencyBounds),
    ]),
    caFile: first<string | undefined>(undefined, [
      option('ca-file', options.caFile),
      variable('TELCTL_CA_FILE'),
      inProfile(kept?.caFile),
    ]),
    clientCert,
    // The key of another certificate is of no use.
    clientKey: first(
      undefined,
      clientKeys.filter(({ source }) => clientCert.value === undefined || source === clientCert.source),
    ),
    // For one call only, so no variable and no profile gives it.
    insecure: first(false, [option('insecure', options.insecure)]),
    allowHttp: first(false, [
      option('allow-http', options.allowHttp),
      flag(variable('TELCTL_ALLOW_HTTP')),
      inProfile(kept?.allowHttp),
    ]),
    state: first<string | undefined>(undefined, [
      stateAddress(option('state', options.state)),
      stateAddress(variable('TELCTL_STATE')),
    ]),
    logDays: first(90, [number(variable('TELCTL_LOG_DAYS'), logBounds)]),
    color: first('auto', [choice(colors, option('color', options.color)), ...colorVariables(host)]),
  };
}

function placesOf(host: Host) {
  const directory = readDirectorySettings(host);
  return {
    stored: readProfiles(host),
    option: <T>(name: string, value: T | undefined): Place<T> => ({
      source: 'option',
      from: `--${name}`,
      value,
    }),
    variable: (name: string): Place<string> => ({
      source: 'environment',
      from: name,
      value: host.env[name] || undefined,
    }),
    directory: (key: 'profile' | 'account' | 'output'): Place<string> => ({
      source: 'directory',
      from: directory?.path ?? '',
      value: directory?.values[key],
    }),
  };
}

const address = (place: Place<string>): Place<string> => ({
  ...place,
  value: place.value === undefined ? undefined : normaliseBaseUrl(place.value, place.from),
});

/** Where state is kept. Throws `Failure` (`usage`) for anything but a folder. */
function stateAddress(place: Place<string>): Place<string> {
  if (place.value === undefined || /^file:./.test(place.value)) return place;
  throw new Failure(
    'usage',
    `${place.from} must be file:DIR, not ${JSON.stringify(maskedUrl(place.value))}.`,
  );
}

const prefix = (place: Place<string>): Place<Profile['prefix']> => ({
  ...place,
  value: place.value === undefined ? undefined : prefixOf(place.value, place.from),
});

const hasTerminal = ({ stdin, stderr }: Host): boolean => stdin.isTTY === true && stderr.isTTY === true;

/** The habits of other programs (no-color.org, CLICOLOR). */
function colorVariables({ env }: Host): readonly Place<(typeof colors)[number]>[] {
  const place = (from: string, value: 'always' | 'never', on: boolean) => ({
    source: 'environment' as const,
    from,
    value: on ? value : undefined,
  });
  const forced = env.CLICOLOR_FORCE ?? '';
  return [
    place('NO_COLOR', 'never', (env.NO_COLOR ?? '') !== ''),
    place('CLICOLOR_FORCE', 'always', forced !== '' && forced !== '0'),
    place('TERM', 'never', env.TERM === 'dumb'),
  ];
}
