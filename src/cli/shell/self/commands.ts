import { defineCommand, type InputOf } from '../../command/command.ts';

const helpArguments = {
  words: {
    name: 'TOPIC',
    doc: 'A command, or commands, options, environment, exit-codes, errors, a kind of error, output, files, manifests or many-accounts',
    rest: true,
    optional: true,
    completes: 'help',
  },
} as const;

const helpOptions = {
  man: {
    value: 'DIR',
    doc: 'Write the manual pages to man1 and man5 in this folder, for MANPATH',
    excludes: ['TOPIC'],
    does: ['writes-files'],
  },
} as const;

export type HelpInput = InputOf<typeof helpOptions, typeof helpArguments>;

export const helpCommand = defineCommand({
  path: ['help'],
  summary: 'Show help on a topic or a command',
  arguments: helpArguments,
  options: helpOptions,
  effect: 'local',
  examples: {
    'telctl help exit-codes': 'Show what each exit code means',
    'telctl help users list': 'Same as telctl users list --help',
    'telctl help --man ~/.local/share/man': 'Install the manual pages of a single-file telctl',
  },
  load: async () => (await import('./show-help.ts')).showHelp,
});

export const commandsCommand = defineCommand({
  path: ['commands'],
  summary: 'List every command and its effect on the service',
  description:
    'With -o json, prints the whole tree: arguments, options, examples, and whether a command reads, writes, deletes or may add charges.',
  effect: 'local',
  attended: false,
  examples: {
    'telctl commands': 'List all commands in one table',
    'telctl commands -o json': 'Print the whole tree for programs',
  },
  load: async () => (await import('./list-commands.ts')).listCommands,
});

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];
const shellWords = [...shells, 'pwsh'] as const;

const completionArguments = {
  shell: { name: 'SHELL', doc: 'bash, zsh, fish or powershell (or pwsh)', choices: shellWords },
} as const;

const installArguments = {
  shell: {
    ...completionArguments.shell,
    doc: 'bash, zsh, fish or powershell (or pwsh) (default: from the variable SHELL)',
    optional: true,
  },
} as const;

export type CompletionInput = InputOf<Record<never, never>, typeof completionArguments>;
export type InstallInput = InputOf<Record<never, never>, typeof installArguments>;

const installCommand = defineCommand({
  path: ['completion', 'install'],
  summary: 'Install the completion script, and show the remaining steps',
  arguments: installArguments,
  does: ['writes-files'],
  effect: 'local',
  examples: {
    'telctl completion install': 'For the shell that you use',
    'telctl completion install pwsh': 'For PowerShell',
  },
  load: async () => (await import('../completion/scripts.ts')).installCompletion,
});

const completionCommand = defineCommand({
  path: ['completion'],
  summary: 'Print the completion script for your shell',
  arguments: completionArguments,
  effect: 'local',
  examples: {
    'telctl completion bash > ~/.local/share/bash-completion/completions/telctl': 'For bash',
    'telctl completion zsh > ~/.zfunc/_telctl': 'For zsh, with ~/.zfunc in fpath',
    'telctl completion fish > ~/.config/fish/completions/telctl.fish': 'For fish',
    'telctl completion powershell >> $PROFILE': 'For PowerShell',
  },
  load: async () => (await import('../completion/scripts.ts')).printCompletion,
});

export const completionCommands = [completionCommand, installCommand] as const;
