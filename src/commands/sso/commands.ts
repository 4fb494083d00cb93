import type { Command } from '../../command/command.ts';
import { apps } from '../../contract/resources/apps.ts';
import { links } from '../../contract/resources/links.ts';
import { providers } from '../../contract/resources/providers.ts';
import { genericCommands } from '../generic/commands.ts';
import { signInCommands } from './sign-in-commands.ts';

/** Everything under `telctl sso`. */
export const ssoCommands: readonly Command[] = [
  ...[apps, providers, links].flatMap((resource) => genericCommands(resource, ['sso', resource.name])),
  ...signInCommands,
];
