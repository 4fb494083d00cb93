import { defineCommand, type InputOf } from '../../command/command.ts';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

const completionArguments = {
  shell: { name: 'SHELL', doc: 'bash, zsh, fish or powershell', choices: shells },
} as const;

export type CompletionInput = InputOf<Record<never, never>, typeof completionArguments>;

/** `telctl completion SHELL`. */
export const completionCommand = defineCommand({
  path: ['completion'],
  summary: 'Print the script that completes telctl in your shell',
  arguments: completionArguments,
  options: {},
  effect: 'local',
  examples: [
    { line: 'telctl completion bash > ~/.local/share/bash-completion/completions/telctl', doc: 'For bash' },
    { line: 'telctl completion zsh > ~/.zfunc/_telctl', doc: 'For zsh, with ~/.zfunc in fpath' },
    { line: 'telctl completion fish > ~/.config/fish/completions/telctl.fish', doc: 'For fish' },
    { line: 'telctl completion powershell >> $PROFILE', doc: 'For PowerShell' },
  ],
  load: async () => (await import('./print-completion.ts')).printCompletion,
});
