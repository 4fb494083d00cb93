import { type Command, defineCommand } from '../../command/command.ts';

const logout = defineCommand({
  path: ['logout'],
  summary: 'Forget the token and the API key of a profile',
  description:
    'Removes what could sign in from this machine. Nothing is sent, so it works without a network and with a dead token; a token that was copied elsewhere lives on until it ends or `telctl tokens revoke-all` ends it.',
  arguments: {},
  options: {},
  effect: 'local',
  examples: [{ line: 'telctl logout --profile prod', doc: 'Forget the secrets of prod' }],
  load: async () => (await import('./logout.ts')).logout,
});

/** `telctl logout`. */
export const logoutCommands: readonly Command[] = [logout];
