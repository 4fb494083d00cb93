import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { requireDuration } from '../../../base/moment.ts';
import { parseRateLimit, type RateLimit } from '../../../base/rate-limit.ts';
import { hyphenate } from '../../../base/wording.ts';
import type { InputOf, OptionSpec, ParsedInput } from '../../../cli/command/command.ts';
import type { Context } from '../../../cli/command/context.ts';
import type { Schema } from '../../../contract/schema-node.ts';
import { type ControlInput, type ControlName, controls } from '../control-operations.ts';

/** The option that selects the sandbox of a command. */
const name = {
  flag: 'name',
  value: 'NAME',
  doc: 'Name of the sandbox (default: the one of the surrounding sandbox exec, or "default")',
} as const;

const port = {
  flag: 'port',
  value: 'PORT',
  type: 'integer',
  minimum: 0,
  maximum: 65_535,
  doc: 'Port to listen on (default: its last port, or a free one)',
} as const;
const data = {
  flag: 'data',
  value: 'DIR',
  doc: 'Folder for its records',
  completes: 'file',
  does: ['reads-files', 'writes-files'],
} as const;
const memory = { flag: 'memory', doc: 'Keep its records in memory only', excludes: ['data'] } as const;

const likenessOptions = {
  like: {
    value: 'SERVICE',
    choices: ['specification', 'kazoo'],
    doc: 'Behave like the specification without conventions, or like compatible services in the field (default: the specification with conventions)',
  },
  strict: { doc: 'Same as --like specification' },
} as const;

const rateLimit = {
  flag: 'rate-limit',
  value: 'RATE[:BURST]',
  doc: 'Refuse requests (429) beyond this rate per second (s), minute (m) or hour (h), with this burst, such as 10/s:100',
} as const;

const allowDeliveriesTo = {
  flag: 'allow-deliveries-to',
  value: 'HOST',
  repeat: true,
  doc: 'Also deliver webhooks to this host name or address (default: only to this machine)',
} as const;

const fromElsewhere = {
  allowOrigin: {
    value: 'ORIGIN',
    repeat: true,
    doc: 'Allow requests from web pages of this origin, such as http://127.0.0.1:3000 (default: none)',
  },
  allowLoopbackHooks: {
    doc: 'With --like kazoo, accept webhooks with addresses of this machine',
  },
} as const;

const seed = {
  flag: 'seed',
  value: 'FILE',
  repeat: true,
  doc: 'Apply this manifest at the start, without questions about charges',
} as const;

const listening = {
  listen: {
    value: 'ADDRESS',
    doc: 'Address of this machine to listen on, 0.0.0.0 for all (default: only this machine can connect)',
  },
  allowHost: {
    value: 'NAME',
    repeat: true,
    doc: 'Host name that other machines or a proxy use for it (requests for other names are refused)',
  },
  tlsCert: {
    value: 'FILE',
    doc: 'TLS certificate, followed by its chain (PEM)',
    needs: ['tls-key'],
  },
  tlsKey: { value: 'FILE', doc: 'Private key of the TLS certificate (PEM)', needs: ['tls-cert'] },
  apiKeyFile: {
    value: 'FILE',
    doc: 'File with the API key of account acme, for new records (default: TELCTL_SANDBOX_API_KEY, or a new key)',
  },
  controlKeyFile: {
    value: 'FILE',
    doc: 'File with the key that controls the sandbox (default: TELCTL_SANDBOX_KEY, or a new key)',
  },
  noLog: { doc: 'Do not log requests and deliveries' },
} as const;

const { tlsCert, tlsKey } = listening;

const running = {
  name,
  port,
  data,
  memory,
  ...likenessOptions,
  rateLimit,
  allowDeliveriesTo,
  ...fromElsewhere,
} as const;

export const serveOptions = { ...running, ...listening } as const;
export const startSandboxOptions = { ...running, tlsCert, tlsKey, seed } as const;
export const nameOptions = { name } as const;
export const execOptions = {
  seed,
  ...likenessOptions,
  rateLimit,
  allowDeliveriesTo,
  ...fromElsewhere,
} as const;
export const execArguments = {
  command: {
    name: 'COMMAND',
    doc: 'Program to run, with its arguments',
    rest: true,
    completes: 'file',
    does: [],
  },
} as const;

/** The service that a sandbox imitates. `undefined` is the default behavior. */
type Like = InputOf<typeof likenessOptions>['like'];

/** Combines `--like` and `--strict`. Throws `usage` if they contradict each other. */
function parseLike({ like, strict }: InputOf<typeof likenessOptions>): Like {
  if (!strict) return like;
  if (like === undefined || like === 'specification') return 'specification';
  throw new Failure('usage', `--strict is the same as --like specification, not as --like ${like}.`);
}

export const likeText = {
  specification: 'only what the specification documents',
  kazoo: 'as compatible services in the field do',
} as const;

/** Describes how a running sandbox differs from the requested one, as part of a sentence. */
export function likeDifference(running: Like, asked: Like): string | undefined {
  if (asked === undefined || asked === running) return undefined;
  if (running !== undefined) return `answers ${likeText[running]}`;
  return asked === 'specification'
    ? 'answers more than the specification documents'
    : `does not answer ${likeText[asked]}`;
}

/** Reads `--rate-limit`. Throws `usage` if it is invalid. */
function rateLimitOf(rateLimit: string | undefined): RateLimit | undefined {
  if (rateLimit === undefined) return undefined;
  const limit = parseRateLimit(rateLimit);
  if (limit) return limit;
  throw new Failure('usage', `--rate-limit must be RATE[:BURST], not ${JSON.stringify(rateLimit)}.`, {
    hint: 'Give requests per second (s), minute (m) or hour (h), and how many may arrive at once: --rate-limit 10/s:100',
  });
}

/** Reads `--allow-origin`. Throws `usage` for a value that is not an origin as browsers send it. */
function originsOf(allowOrigin: readonly string[]): readonly string[] {
  for (const text of allowOrigin) {
    if (URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text) continue;
    throw new Failure(
      'usage',
      `--allow-origin must be only a scheme, a host and a port, not ${JSON.stringify(text)}.`,
      { hint: 'For example: --allow-origin http://127.0.0.1:3000' },
    );
  }
  return allowOrigin;
}

/** Reads the options for the behavior of a sandbox. Throws `usage` if they are invalid or contradict each other. */
export const behaviourFromOptions = (input: Omit<InputOf<typeof execOptions>, 'seed'>) => ({
  like: parseLike(input),
  rateLimit: rateLimitOf(input.rateLimit),
  allowDeliveriesTo: input.allowDeliveriesTo,
  allowOrigins: originsOf(input.allowOrigin),
  allowLoopbackHooks: input.allowLoopbackHooks,
});

type OptionFor<T> = OptionSpec &
  (NonNullable<T> extends boolean
    ? unknown
    : NonNullable<T> extends number
      ? { readonly value: string; readonly type: 'number' }
      : { readonly value: string }) &
  (undefined extends T ? unknown : { readonly required: true });

type Bounded = Schema & { readonly minimum?: number; readonly maximum?: number };

/** Creates options for fields of a control, with flags, types, bounds and descriptions from its schema. */
export function controlOptions<K extends ControlName, F extends string & keyof ControlInput<K>>(
  name: K,
  own: Readonly<Record<F, Partial<OptionSpec>>>,
): { readonly [P in F]: OptionFor<ControlInput<K>[P]> } {
  const { properties = {}, required = [] }: Schema = controls[name].input;
  const specs = Object.entries<Partial<OptionSpec>>(own).map(([field, more]): [string, OptionSpec] => {
    const { type, description = '', enum: words, minimum, maximum }: Bounded = properties[field] ?? {};
    return [
      field,
      {
        flag: hyphenate(field),
        doc: description,
        ...(type === 'integer' || type === 'number' ? { type } : {}),
        ...(words ? { choices: words.map(String) } : {}),
        ...(minimum === undefined ? {} : { minimum }),
        ...(maximum === undefined ? {} : { maximum }),
        ...(required.includes(field) ? { required: true } : {}),
        ...more,
      },
    ];
  });
  return Object.fromEntries(specs) as { [P in F]: OptionFor<ControlInput<K>[P]> };
}

/** Creates the input of a control from arguments, options, `--account` and `--dry-run`. */
export function controlInput<K extends ControlName>(
  name: K,
  input: ParsedInput,
  context: Pick<Context, 'settings' | 'options'>,
): ControlInput<K> {
  const given = { ...input, ...accountOption(context), dry_run: context.options.dryRun };
  const fields = Object.entries(controls[name].input.properties ?? {}).map(([field, node]) => {
    const value: unknown = Object(given)[field];
    const isLength = node['x-shown-as'] === 'milliseconds' && typeof value === 'string';
    return [field, isLength ? requireDuration(value, `--${hyphenate(field).replace(/-ms$/, '')}`) : value];
  });
  // The parser has checked each option against the schema of the control.
  return Object.fromEntries(fields);
}

/** Returns the account of `--account`. Accounts of profiles and folders belong to another service. */
const accountOption = ({ settings }: Pick<Context, 'settings'>): JsonObject =>
  settings.account.source === 'option' ? { account: settings.account.value } : {};
