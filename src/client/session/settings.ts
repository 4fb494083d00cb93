/** The formats that results can be shown in. */
export const outputFormats = ['table', 'json', 'yaml', 'ndjson', 'csv', 'name'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** Formats that some commands have besides. They hold for one run and are never set by a profile. */
export const documentFormats = [...outputFormats, 'markdown', 'html', 'junit', 'tap', 'sarif'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

/** Source of the value of a setting; `config explain` shows it. */
export type SettingSource = 'option' | 'environment' | 'directory' | 'profile' | 'default';

/** A setting with where it came from: `--profile`, `TELCTL_PROFILE`, a file, … */
export interface Setting<T> {
  readonly value: T;
  readonly source: SettingSource;
  /** The option, variable or file that gave it; empty for defaults. */
  readonly from: string;
}

/** The settings that result from the global options, variables, files and the profile. */
export interface Settings {
  readonly profile: Setting<string | undefined>;
  readonly baseUrl: Setting<string | undefined>;
  /** Id, name or realm of the account to act on; unset: the one signed in to. */
  readonly account: Setting<string | undefined>;
  /** Path prefix of the account resources, `/v2` or empty; unset before the first sign-in. */
  readonly prefix: Setting<string | undefined>;
  readonly output: Setting<DocumentFormat>;
  readonly noInput: Setting<boolean>;
  readonly timeoutMs: Setting<number>;
  readonly retries: Setting<number>;
  readonly concurrency: Setting<number>;
  readonly caFile: Setting<string | undefined>;
  /** PEM files by which this client shows the service who it is; the key may stand in the first. */
  readonly clientCert: Setting<string | undefined>;
  readonly clientKey: Setting<string | undefined>;
  readonly insecure: Setting<boolean>;
  /** Plain http to a host that is not loopback was asked for. */
  readonly allowHttp: Setting<boolean>;
  /** Program with its arguments that shows output longer than the screen; `none` for no program. */
  readonly pager: Setting<string>;
  readonly color: Setting<'auto' | 'always' | 'never'>;
  /** Folder or database of what telctl remembers between runs, without a password; unset: the state folder. */
  readonly state: Setting<string | undefined>;
  readonly logDays: Setting<number>;
}

/** Bounds of the days that runs stay in the log. */
export const logBounds = { least: 1, most: 36_500, whole: true } as const;
