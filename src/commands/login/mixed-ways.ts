import { Failure } from '../../base/failure.ts';
import type { InputOf } from '../../command/command.ts';
import type { Settings } from '../../session/settings.ts';
import type { loginOptions } from './commands.ts';
import { isAccountId } from './credentials.ts';

type LoginInput = InputOf<typeof loginOptions>;

const forSso = [
  ['clientId', '--client-id'],
  ['discovery', '--discovery'],
  ['redirectUri', '--redirect-uri'],
  ['noBrowser', '--no-browser'],
  ['codeStdin', '--code-stdin'],
  ['noPkce', '--no-pkce'],
] as const satisfies readonly (readonly [keyof LoginInput, string])[];

/** Options of which one says where the secret comes from. */
const sources = [
  ['passwordStdin', '--password-stdin'],
  ['passwordFile', '--password-file'],
  ['passwordCommand', '--password-command'],
  ['apiKeyStdin', '--api-key-stdin'],
  ['apiKeyFile', '--api-key-file'],
  ['apiKeyCommand', '--api-key-command'],
] as const satisfies readonly (readonly [keyof LoginInput, string])[];

/** Refuses (`usage`) what does not go with a command that prints the secret. */
function refuseBesideCommand(input: LoginInput): void {
  const command = input.passwordCommand ?? input.apiKeyCommand;
  if (command === undefined) return;
  const given = sources.filter(([key]) => input[key] !== undefined && input[key] !== false);
  if (given.length > 1) {
    const flags = given.map(([, flag]) => flag).join(' and ');
    throw new Failure('usage', `Only one of ${flags} can say where the secret comes from.`);
  }
  if (input.keyring)
    throw new Failure('usage', '--keyring keeps an API key; with a command that prints it, none is kept.');
  if (input.sso !== undefined)
    throw new Failure('usage', '--sso signs in at a provider; leave the command out.', {
      hint: 'For the first sign-in there: --password-stdin or --password-file.',
    });
}

/**
 * Refuses (`usage`) an account that signing in does not go by: HTTP Basic alone takes an account's id, and what is
 * signed in decides in all other ways.
 */
function refuseAccount({ basic }: LoginInput, { value, source }: Settings['account']): void {
  if (source !== 'option' || (basic && isAccountId(value))) return;
  throw new Failure('usage', 'telctl login takes --account with --basic alone, as an id.', {
    hint: "Name the user's account with --account-name or --account-realm; an API key belongs to one account.",
  });
}

/** Refuses (`usage`) options of single sign-on without it, and options that do not go with each other. */
export function refuseMixedWays(input: LoginInput, { account }: Pick<Settings, 'account'>): void {
  refuseAccount(input, account);
  refuseBesideCommand(input);
  const [given] = forSso.filter(([key]) => input[key] !== undefined && input[key] !== false);
  if (input.sso === undefined) {
    if (given !== undefined) throw new Failure('usage', `${given[1]} goes with --sso PROVIDER.`);
    return;
  }
  if (input.apiKeyStdin || input.apiKeyFile !== undefined || input.keyring || input.basic) {
    throw new Failure('usage', '--sso signs in at a provider; leave API key, keyring and --basic out.');
  }
  if (input.codeStdin && input.passwordStdin) {
    throw new Failure('usage', 'Standard input holds the code or the password, not both.', {
      hint: 'Give the password with --password-file FILE.',
    });
  }
}
