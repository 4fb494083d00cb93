import type { Shell } from './completion-command.ts';

/**
 * Every script hands the words so far, the one at the cursor last, to `telctl __complete`, and gets lines of
 * `word<TAB>description`. A line `:file` asks for file names.
 */
const scripts: Readonly<Record<Shell, string>> = {
  bash: `# bash completion for telctl. Made by: telctl completion bash
_telctl() {
  local line word current begun index glue=
  local -a typed=()
  COMPREPLY=()
  # bash splits words at "=" and ":"; they are put together again as telctl would get them.
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [[ ( $word == = || $word == : ) && \${#typed[@]} -gt 0 ]]; then
      typed[\${#typed[@]}-1]+=$word
      glue=1
    elif [[ $glue ]]; then
      typed[\${#typed[@]}-1]+=$word
      glue=
    else
      typed+=("$word")
    fi
  done
  (( \${#typed[@]} )) || return 0
  current=\${COMP_WORDS[COMP_CWORD]}
  [[ $current == = || $current == : ]] && current=
  begun=\${typed[\${#typed[@]}-1]}
  begun=\${begun%"$current"}
  while IFS= read -r line; do
    if [[ $line == :file ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
      continue
    fi
    word=\${line%%$'\\t'*}
    COMPREPLY+=("$(printf '%q' "\${word#"$begun"}")")
  done < <(telctl __complete -- "\${typed[@]}" 2>/dev/null)
}
complete -F _telctl telctl
`,
  zsh: `#compdef telctl
# zsh completion for telctl. Made by: telctl completion zsh
_telctl() {
  local line word note
  local -a described
  for line in "\${(@f)$(telctl __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] || continue
    if [[ $line == :file ]]; then
      _files
      continue
    fi
    word=\${line%%$'\\t'*}
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
    set -l typed (commandline -opc) (commandline -ct)
    for line in (telctl __complete -- $typed[2..-1] 2>/dev/null)
        if test "$line" = ":file"
            __fish_complete_path (commandline -ct)
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

/** The script that completes telctl in a shell. */
export function completionScript(shell: Shell): string {
  return scripts[shell];
}
