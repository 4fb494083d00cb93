import { basename, isAbsolute, join } from 'node:path';
import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { type CompletionInput, type InstallInput, type Shell, shells } from '../self/commands.ts';

/** They call `telctl __complete`, and read lines of `word<TAB>description`, or `:file` for file names. */
const scripts: Readonly<Record<Shell, string>> = {
  bash: `# bash completion for telctl. Made by: telctl completion bash
# Sets words to the words of a line without their quotes, and quote to a quote that is still open.
_telctl_words() {
  local text=$1 char next word= begun=
  local -i at
  words=() quote=
  for ((at = 0; at < \${#text}; at++)); do
    char=\${text:at:1} next=\${text:at+1:1}
    if [[ $quote && $char == "$quote" ]]; then
      quote=
    elif [[ $char == \\\\ && $quote != "'" && ( ! $quote || $next == [\\$\\\`\\"\\\\] ) ]]; then
      word+=$next begun=1 at+=1
    elif [[ ! $quote && $char == [\\"\\'] ]]; then
      quote=$char begun=1
    elif [[ ! $quote && $char == [[:space:]] ]]; then
      [[ $begun ]] && words+=("$word")
      word= begun=
    else
      word+=$char begun=1
    fi
  done
  words+=("$word")
}

# Prints a text as it is typed inside the open quote, or without quotes.
_telctl_quoted() {
  local text=$1 quote=$2 char quoted=
  local -i at
  for ((at = 0; at < \${#text}; at++)); do
    char=\${text:at:1}
    case $quote:$char in
      "':'") quoted+="'\\\\''" ;;
      '":!') quoted+='"\\!"' ;;
      '":'[\\"\\$\\\`\\\\] | :[\\ \\!\\"\\#\\$\\&\\'\\(\\)\\*\\;\\<\\>\\?\\[\\\\\\]\\\`\\{\\|\\}\\~]) quoted+=\\\\$char ;;
      *) quoted+=$char ;;
    esac
  done
  printf '%s' "$quoted"
}

_telctl() {
  local line word begun quote typed=\${COMP_LINE:0:COMP_POINT}
  local -a words all
  COMPREPLY=()
  _telctl_words "$typed"
  all=("\${words[@]:1}")
  # bash replaces the text in $2 only, which begins after a colon, an equals sign or an open quote.
  _telctl_words "\${typed%"$2"}"
  begun=\${words[\${#words[@]}-1]}
  while IFS= read -r line; do
    if [[ $line == :file ]]; then
      compopt -o default 2>/dev/null && continue
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$2")
      continue
    fi
    word=\${line%%$'\\t'*}
    COMPREPLY+=("$(_telctl_quoted "\${word#"$begun"}" "$quote")")
  done < <(telctl __complete -- "\${all[@]}" 2>/dev/null)
}
complete -F _telctl telctl
`,
  zsh: `#compdef telctl
# zsh completion for telctl. Made by: telctl completion zsh
_telctl() {
  local line word note current
  local -a described
  # zsh has taken off an open quote of the current word; other quotes and backslashes are still there.
  current=\${(Q):-\${compstate[quote]:+$QIPREFIX}$PREFIX\${compstate[quote]#\\$}}
  for line in "\${(@f)$(telctl __complete -- "\${(@Q)words[2,CURRENT-1]}" "$current" 2>/dev/null)}"; do
    [[ -n $line ]] || continue
    if [[ $line == :file ]]; then
      [[ $PREFIX == --*=* && -z \${(M)words[2,CURRENT-1]:#--} ]] && compset -P 1 '*='
      _files
      continue
    fi
    word=\${\${line%%$'\\t'*}//\\\\/\\\\\\\\}
    note=\${line#*$'\\t'}
    [[ $note == $line ]] && note=
    described+=("\${word//:/\\\\:}\${note:+:$note}")
  done
  (( \${#described} )) && _describe -V 'telctl' described
}
if [[ $funcstack[1] == _telctl ]]; then _telctl "$@"; else compdef _telctl telctl; fi
`,
  fish: `# fish completion for telctl. Made by: telctl completion fish
function __telctl_complete
    set -l before (commandline -opc)
    set -l token (commandline -ct)
    # An unfinished word may have an open quote, or end with a backslash.
    set -l current (string unescape -- $token; or echo $token)
    set -l flag
    if not contains -- -- $before
        set flag (string match -r -- '^--[^=]*=' $token)
    end
    for line in (telctl __complete -- $before[2..-1] "$current" 2>/dev/null)
        if test "$line" = ":file"
            complete -C "'' "(string replace -- "$flag" '' $token) | string replace -r -- '^' "$flag"
        else
            echo $line
        end
    end
end
complete -c telctl -f -a '(__telctl_complete)'
`,
  powershell: `# PowerShell completion for telctl. Made by: telctl completion powershell
Register-ArgumentCompleter -Native -CommandName telctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $typed = @($commandAst.CommandElements |
        Where-Object { $_.Extent.EndOffset -le $cursorPosition } |
        Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
    if ($wordToComplete -eq '') { $typed += '' }
    telctl __complete -- @typed 2>$null | ForEach-Object {
        if ($_ -eq ':file') {
            Get-ChildItem -Path "$wordToComplete*" -Name | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new($_, $_, 'ProviderItem', $_)
            }
        } else {
            $word, $note = $_ -split "\`t", 2
            if (-not $note) { $note = $word }
            $shown = if ($word -match '[\\s''"$]') { "'" + $word.Replace("'", "''") + "'" } else { $word }
            [System.Management.Automation.CompletionResult]::new($shown, $word, 'ParameterValue', $note)
        }
    }
}
`,
};

export function completionScript(shell: Shell): string {
  return scripts[shell];
}

const parseShell = (word: string | undefined): Shell | undefined =>
  word === 'pwsh' ? 'powershell' : shells.find((known) => known === word);

export async function printCompletion(input: CompletionInput): Promise<Result> {
  return { kind: 'document', text: completionScript(parseShell(input.shell) ?? 'bash'), verbatim: true };
}

/** Folder where a shell finds a user's scripts, and the remaining steps to enable them. */
interface ScriptPlace {
  readonly path: string;
  readonly next: readonly string[];
}

/** Throws `Failure` if the user has no home folder. */
function scriptPlace(
  shell: Shell,
  { env, home, platform }: Pick<Host, 'env' | 'home' | 'platform'>,
): ScriptPlace {
  if (home === undefined)
    throw new Failure('failed', 'telctl cannot install the script: no home folder found.', {
      hint: 'Set HOME to an absolute path.',
    });
  /** Ignores relative values of these variables. */
  const folder = (variable: string, otherwise: string): string => {
    const value = env[variable];
    return value !== undefined && isAbsolute(value) ? value : otherwise;
  };
  const config = folder('XDG_CONFIG_HOME', join(home, '.config'));
  switch (shell) {
    case 'bash':
      return {
        path: join(
          folder(
            'BASH_COMPLETION_USER_DIR',
            join(folder('XDG_DATA_HOME', join(home, '.local/share')), 'bash-completion'),
          ),
          'completions/telctl',
        ),
        next: ['New shells use it if the package bash-completion is installed.'],
      };
    case 'zsh':
      return {
        path: join(folder('ZDOTDIR', home), '.zfunc', '_telctl'),
        next: [
          'Add to ~/.zshrc, unless it is there already:',
          '  fpath=(~/.zfunc $fpath)',
          '  autoload -Uz compinit && compinit',
        ],
      };
    case 'fish':
      return { path: join(config, 'fish/completions/telctl.fish'), next: ['New shells use it.'] };
    case 'powershell': {
      const profiles =
        platform === 'win32' ? join(home, 'Documents', 'PowerShell') : join(config, 'powershell');
      const path = join(profiles, 'telctl-completion.ps1');
      return { path, next: ['Add to your $PROFILE file:', `  . '${path.replaceAll("'", "''")}'`] };
    }
  }
}

/** Handles `telctl completion install`. Throws `usage` if no shell is given and none is detected. */
export async function installCompletion(
  input: InstallInput,
  { host }: Pick<Context, 'host'>,
): Promise<Result> {
  const { env, platform } = host;
  const own = platform === 'win32' && !env.SHELL ? 'powershell' : basename(env.SHELL ?? '', '.exe');
  const shell = parseShell(input.shell ?? own);
  if (shell === undefined)
    throw new Failure(
      'usage',
      own === ''
        ? 'The variable SHELL is not set, so your shell is unknown.'
        : `telctl has no completion for ${own}.`,
      {
        hint: createHint`Pass one of ${shells.join(', ')}: ${nextStep`completion install bash`}`,
      },
    );
  const { path, next } = scriptPlace(shell, host);
  host.files.writePublic(path, completionScript(shell));
  return {
    kind: 'done',
    message: [`Wrote ${path}`, ...next],
    value: { shell, path },
  };
}
