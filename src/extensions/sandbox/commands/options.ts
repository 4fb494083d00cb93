import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { durationOf } from '../../../base/moment.ts';
import { type RateLimit, rateLimitIn } from '../../../base/rate-limit.ts';
import { hyphenated } from '../../../base/wording.ts';
import type { InputOf, OptionSpec, ParsedInput } from '../../../cli/command/command.ts';
import type { Context } from '../../../cli/command/context.ts';
import type { Schema } from '../../../contract/schema-node.ts';
import { type ControlInput, type ControlName, controls } from '../control-operations.ts';

/** Option for the sandbox that a command is for: the one rule of `targetOf`. */
const name = {
  flag: 'name',
  value: 'NAME',
  doc: 'Which sandbox, by its name; without it that of the sandbox exec that the command runs in, else "default"',
} as const;

const port = {
  flag: 'port',
  value: 'PORT',
  type: 'integer',
  minimum: 0,
  maximum: 65_535,
  doc: 'Port to listen on; by default the one it had before where that is free, else any free one',
} as const;
const data = {
  flag: 'data',
  value: 'DIR',
  doc: 'Folder to keep its records in',
  completes: 'file',
  does: ['reads-files', 'writes-files'],
} as const;
const memory = { flag: 'memory', doc: 'Keep its records in memory only', excludes: ['data'] } as const;

const likenessOptions = {
  like: {
    value: 'SERVICE',
    choices: ['specification', 'kazoo'],
    doc: 'Answer as the specification alone has it, where conventions are not found, or as compatible services in the field do; without it documented and conventional operations, in the shapes of the specification',
  },
  strict: { doc: 'The same as --like specification' },
} as const;

const rateLimit = {
  flag: 'rate-limit',
  value: 'RATE[:BURST]',
  doc: 'Refuse (429) requests beyond this rate a second (s), minute (m) or hour (h), with this many at once, such as 10/s:100',
} as const;

const allowDeliveriesTo = {
  flag: 'allow-deliveries-to',
  value: 'HOST',
  repeat: true,
  doc: 'Deliver webhooks to this host too, by its name or address; otherwise to this machine alone',
} as const;

const fromElsewhere = {
  allowOrigin: {
    value: 'ORIGIN',
    repeat: true,
    doc: 'Answer web pages of exactly this origin, such as http://127.0.0.1:3000; pages of others are refused',
  },
  allowLoopbackHooks: {
    doc: 'With --like kazoo: take webhooks with addresses of this machine, which such services refuse',
  },
} as const;

const seed = {
  flag: 'seed',
  value: 'FILE',
  repeat: true,
  doc: 'Apply this manifest first; asks nothing, as the sandbox costs nothing',
} as const;

const listening = {
  listen: {
    value: 'ADDRESS',
    doc: 'Address of this machine to listen at, 0.0.0.0 for all of them; otherwise this machine alone reaches it',
  },
  allowHost: {
    value: 'NAME',
    repeat: true,
    doc: 'Name by which other machines, or the proxy in front, call it; requests by any other name are refused',
  },
  tlsCert: {
    value: 'FILE',
    doc: 'Certificate with which it speaks TLS, then those that vouch for it (PEM)',
    needs: ['tls-key'],
  },
  tlsKey: { value: 'FILE', doc: 'Key of that certificate (PEM)', needs: ['tls-cert'] },
  apiKeyFile: {
    value: 'FILE',
    doc: 'File with the API key of account acme, for new records; else TELCTL_SANDBOX_API_KEY, else one is made',
  },
  controlKeyFile: {
    value: 'FILE',
    doc: 'File with the key that controls the sandbox; else TELCTL_SANDBOX_KEY, else one is made',
  },
  noLog: { doc: 'Write no log of requests and deliveries' },
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
export const startOptions = { ...running, tlsCert, tlsKey, seed } as const;
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

/** The service that a sandbox answers like; `undefined`: its usual behaviour. */
type Like = InputOf<typeof likenessOptions>['like'];

/** Reads the two options. Throws `usage` if they contradict each other. */
function likeIn({ like, strict }: InputOf<typeof likenessOptions>): Like {
  if (!strict) return like;
  if (like === undefined || like === 'specification') return 'specification';
  throw new Failure('usage', `--strict is the same as --like specification, not as --like ${like}.`);
}

/** Ways in which a sandbox answers, in words. */
export const likeText = {
  specification: 'only what the specification documents',
  kazoo: 'as compatible services in the field do',
} as const;

/** Says how a running sandbox differs from the one that is asked for, to stand in a sentence. */
export function likeDifference(running: Like, asked: Like): string | undefined {
  if (asked === undefined || asked === running) return undefined;
  if (running !== undefined) return `answers ${likeText[running]}`;
  return asked === 'specification'
    ? 'answers more than the specification documents'
    : `does not answer ${likeText[asked]}`;
}

/** Reads --rate-limit. Throws `usage` if that is no limit. */
function rateLimitOf(rateLimit: string | undefined): RateLimit | undefined {
  if (rateLimit === undefined) return undefined;
  const limit = rateLimitIn(rateLimit);
  if (limit) return limit;
  throw new Failure('usage', `--rate-limit must be RATE[:BURST], and not ${JSON.stringify(rateLimit)}.`, {
    hint: 'Requests a second (s), minute (m) or hour (h), and how many may come at once: --rate-limit 10/s:100',
  });
}

/** Reads --allow-origin. Throws `usage` for what is no origin as browsers send it. */
function originsOf(allowOrigin: readonly string[]): readonly string[] {
  for (const text of allowOrigin) {
    if (URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text) continue;
    throw new Failure(
      'usage',
      `--allow-origin must be a scheme, a host and a port alone, and not ${JSON.stringify(text)}.`,
      { hint: 'For example: --allow-origin http://127.0.0.1:3000' },
    );
  }
  return allowOrigin;
}

/** How a sandbox is to answer, and whom. Throws `usage` for what contradicts itself or cannot be read. */
export const behaviourOf = (input: Omit<InputOf<typeof execOptions>, 'seed'>) => ({
  like: likeIn(input),
  rateLimit: rateLimitOf(input.rateLimit),
  allowDeliveriesTo: input.allowDeliveriesTo,
  allowOrigins: originsOf(input.allowOrigin),
  allowLoopbackHooks: input.allowLoopbackHooks,
});

/** An option that gives a field of this type. */
type OptionFor<T> = OptionSpec &
  (NonNullable<T> extends boolean
    ? unknown
    : NonNullable<T> extends number
      ? { readonly value: string; readonly type: 'number' }
      : { readonly value: string }) &
  (undefined extends T ? unknown : { readonly required: true });

type Bounded = Schema & { readonly minimum?: number; readonly maximum?: number };

/** Options for fields of a control: their flags, types, bounds and words follow from its schema. */
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
        flag: hyphenated(field),
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
  // One entry for each field of `own`.
  return Object.fromEntries(specs) as { [P in F]: OptionFor<ControlInput<K>[P]> };
}

/** The input that arguments, options, --account and --dry-run give a control. */
export function givenTo<K extends ControlName>(
  name: K,
  input: ParsedInput,
  context: Pick<Context, 'settings' | 'options'>,
): ControlInput<K> {
  const given = { ...input, ...accountIn(context), dry_run: context.options.dryRun };
  const fields = Object.entries(controls[name].input.properties ?? {}).map(([field, node]) => {
    const value: unknown = Object(given)[field];
    const isLength = node['x-shown-as'] === 'milliseconds' && typeof value === 'string';
    return [field, isLength ? durationOf(value, `--${hyphenated(field).replace(/-ms$/, '')}`) : value];
  });
  // The parser holds each option to the schema of the control.
  return Object.fromEntries(fields);
}

/** The account that `--account` names; the setting of a profile or a folder is of another service. */
const accountIn = ({ settings }: Pick<Context, 'settings'>): JsonObject =>
  settings.account.source === 'option' ? { account: settings.account.value } : {};
