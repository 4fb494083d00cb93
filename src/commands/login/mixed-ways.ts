import type { InputOf } from '../../cli/command.ts';
import { Failure } from '../../contract/failure.ts';
import type { loginOptions } from './commands.ts';

type LoginInput = InputOf<typeof loginOptions>;

const forSso = [
  ['clientId', '--client-id'],
  ['discovery', '--discovery'],
  ['redirectUri', '--redirect-uri'],
  ['noBrowser', '--no-browser'],
  ['codeStdin', '--code-stdin'],
  ['noPkce', '--no-pkce'],
] as const satisfies readonly (readonly [keyof LoginInput, string])[];

/** Refuses (`usage`) options of single sign-on without it, and those that do not go with it. */
export function refuseMixedWays(input: LoginInput): void {
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
