import { defineCommand, type InputOf } from '../../command/command.ts';

const helpArguments = {
  words: {
    name: 'TOPIC',
    doc: 'commands, options, environment, exit-codes, errors or a kind of error, output, files, manifests or many-accounts, or the words of a command',
    rest: true,
    optional: true,
    completes: 'help',
  },
} as const;

const helpOptions = {
  man: {
    value: 'DIR',
    doc: 'Write the manual pages into this folder, as man1 and man5, for MANPATH',
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
    'telctl help exit-codes': 'What each exit code means',
    'telctl help users list': 'The same as: telctl users list --help',
    'telctl help --man ~/.local/share/man': 'Manual pages, where telctl came as one file',
  },
  load: async () => (await import('./show-help.ts')).showHelp,
});

export const commandsCommand = defineCommand({
  path: ['commands'],
  summary: 'List every command, with what it does to the service',
  description:
    'With -o json: the whole tree, with arguments, options, examples, and whether a command reads, writes, destroys or may cost.',
  effect: 'local',
  attended: false,
  examples: {
    'telctl commands': 'All commands in one table',
    'telctl commands -o json': 'The whole tree, for programs',
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
    doc: 'bash, zsh, fish or powershell (or pwsh); the shell of the variable SHELL by default',
    optional: true,
  },
} as const;

export type CompletionInput = InputOf<Record<never, never>, typeof completionArguments>;
export type InstallInput = InputOf<Record<never, never>, typeof installArguments>;

const installCommand = defineCommand({
  path: ['completion', 'install'],
  summary: 'Put the script where your shell looks for it, and say what is left to do',
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
  summary: 'Print the script that completes telctl in your shell',
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
