import { Failure } from '../../../base/failure.ts';
import { quoteName } from '../../../base/wording.ts';
import { environmentIdentifier } from '../../../client/session/environment-session.ts';
import type { Identifier, Profile } from '../../../client/session/profile-store.ts';
import {
  parseSecretCommand,
  readCommandSecret,
  type SecretCommand,
} from '../../../client/session/secret-sources.ts';
import { isEnvironmentFor } from '../../../client/session/settings.ts';
import { type Credentials, signIn } from '../../../client/session/sign-in.ts';
import { completeOptions, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { readSecret } from '../passwords/secrets.ts';
import { loginOptions } from './commands.ts';

type LoginInput = InputOf<typeof loginOptions>;

/** The address of the sign-in, and the existing profile, whose values are defaults. */
export interface SignInTarget {
  readonly baseUrl: string;
  readonly again: Profile | undefined;
  readonly profile?: string;
  readonly secretCommand?: SecretCommand | undefined;
}

/** Returns the command in the options that prints the secret. Throws `usage`. */
export function secretCommandOf(
  { apiKeyCommand, passwordCommand }: LoginInput,
  { host }: Context,
): SecretCommand | undefined {
  if (apiKeyCommand !== undefined) return parseSecretCommand(apiKeyCommand, '--api-key-command', host.cwd);
  if (passwordCommand === undefined) return undefined;
  return parseSecretCommand(passwordCommand, '--password-command', host.cwd);
}

/** HTTP Basic uses account ids. */
export const isAccountId = (word: string | undefined): word is string =>
  word !== undefined && /^[0-9a-f]{32}$/.test(word);

/** Collects credentials from options, the environment, the profile and questions. Throws `usage`. */
export async function readCredentials(
  input: LoginInput,
  context: Context,
  target: SignInTarget,
): Promise<Credentials> {
  const apiKey = await readApiKey(input, context, target);
  if (apiKey !== undefined) return { kind: 'api-key', apiKey };
  const { env } = context.host;
  const given = identifierFromOptions(input) ?? environmentIdentifier(env);
  const known = input.username ?? (env.TELCTL_USERNAME || undefined) ?? target.again?.username;
  if (isPasswordAsked(input, context, target)) {
    const who = known === undefined ? '' : ` as ${quoteName(known)}`;
    const account = (given ?? target.again?.identifier)?.value;
    const where = account === undefined || known === undefined ? '' : ` of ${quoteName(account)}`;
    const profile = target.profile === undefined ? '' : `, for profile ${quoteName(target.profile)}`;
    context.notices.say(`Signing in to ${target.baseUrl}${who}${where}${profile}.`);
  }
  const username =
    known ?? (await context.ask.text('User name:', { option: '--username NAME, or --api-key-stdin' }));
  const { value: accountId } = context.settings.account;
  if (input.basic && isAccountId(accountId)) {
    const password = await readPassword(input, context, target, username);
    return { kind: 'basic', accountId, username, password };
  }
  const identifier = given ?? target.again?.identifier ?? (await askIdentifier(context));
  const password = await readPassword(input, context, target, username);
  const credentials = {
    kind: 'password',
    username,
    password,
    identifier,
    hash: input.method ?? 'md5',
  } as const;
  if (!input.basic) return credentials;
  // HTTP Basic names the account by its id, which the service shows to a user who signs in.
  const { who } = await signIn(context.sessionParts(), target.baseUrl, credentials);
  return { kind: 'basic', accountId: who.accountId, username, password };
}

const userOptions = [
  'username',
  'passwordStdin',
  'passwordFile',
  'passwordCommand',
  'accountName',
  'accountRealm',
  'phoneNumber',
  'method',
  'basic',
] as const satisfies readonly (keyof LoginInput)[];

export const isUserNamed = ({ username }: LoginInput): boolean => username !== undefined;

/** Ignores the API key of the environment if the options name a user. */
async function readApiKey(
  input: LoginInput,
  context: Context,
  { secretCommand, baseUrl }: SignInTarget,
): Promise<string | undefined> {
  const user = userOptions.find((key) => input[key] !== undefined && input[key] !== false);
  const isGiven = input.apiKeyStdin || input.apiKeyFile !== undefined || input.apiKeyCommand !== undefined;
  if (isGiven && user !== undefined) {
    const flag = completeOptions(loginOptions)[user]?.flag;
    throw new Failure('usage', `--${flag} cannot be combined with an API key. It is for users.`);
  }
  if (input.apiKeyCommand !== undefined && secretCommand !== undefined)
    return readCommandSecret(context.host, secretCommand, 'API key');
  const given = await readSecret(context, 'api-key', {
    stdin: input.apiKeyStdin ?? false,
    file: input.apiKeyFile,
  });
  const { env } = context.host;
  const isMeant = user === undefined && isEnvironmentFor(env, baseUrl);
  return given ?? (isMeant ? env.TELCTL_API_KEY || undefined : undefined);
}

/** Returns the account in the options. Throws `usage` if several options name one (Authentication 3). */
function identifierFromOptions({
  accountName,
  accountRealm,
  phoneNumber,
}: LoginInput): Identifier | undefined {
  const given = [
    { flag: '--account-name', kind: 'account_name', value: accountName },
    { flag: '--account-realm', kind: 'account_realm', value: accountRealm },
    { flag: '--phone-number', kind: 'phone_number', value: phoneNumber },
  ] as const;
  const [one, ...others] = given.flatMap(({ value, ...rest }) =>
    value === undefined ? [] : [{ ...rest, value }],
  );
  if (one === undefined) return undefined;
  if (others.length === 0) return { kind: one.kind, value: one.value };
  const flags = [one, ...others].map(({ flag }) => flag);
  throw new Failure('usage', `Only one of ${flags.join(' and ')} can name the account.`);
}

async function askIdentifier({ ask }: Context): Promise<Identifier> {
  if (!ask.available) {
    throw new Failure('usage', 'The account of the user is missing.', {
      hint: 'Name the account with one of --account-name, --account-realm and --phone-number.',
      open: {
        question: 'Which account does the user belong to?',
        flags: ['--account-name NAME', '--account-realm REALM', '--phone-number NUMBER'],
      },
    });
  }
  const value = await ask.text('Name of the account:', { option: '--account-name NAME' });
  return { kind: 'account_name', value };
}

async function readPassword(
  input: LoginInput,
  context: Context,
  { secretCommand, baseUrl }: SignInTarget,
  username: string,
): Promise<string> {
  if (secretCommand !== undefined) return readCommandSecret(context.host, secretCommand, 'password');
  const given = await readSecret(context, 'password', {
    stdin: input.passwordStdin ?? false,
    file: input.passwordFile,
  });
  if (given !== undefined) return given;
  const { env } = context.host;
  if (env.TELCTL_PASSWORD && isEnvironmentFor(env, baseUrl)) return env.TELCTL_PASSWORD;
  return askPassword(context, username);
}

export const askPassword = ({ ask }: Context, username: string): Promise<string> =>
  ask.secret(`Password of ${username}:`, { option: '--password-stdin' });

/** Returns true if only a question can supply the password. */
export const isPasswordAsked = (
  { passwordStdin, passwordFile }: LoginInput,
  { host: { env }, ask }: Context,
  { secretCommand, baseUrl }: SignInTarget,
): boolean =>
  ask.available &&
  secretCommand === undefined &&
  passwordStdin !== true &&
  passwordFile === undefined &&
  !(env.TELCTL_PASSWORD && isEnvironmentFor(env, baseUrl));
