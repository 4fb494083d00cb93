# bash completion for telctl. Made by: telctl completion bash
_telctl() {
  local IFS=$'\n' line word
  local -a words
  COMPREPLY=()
  # "=" and ":" split words in bash; telctl sees the line as a shell would hand it over.
  local current="${COMP_LINE:0:COMP_POINT}"
  local -a typed=("${COMP_WORDS[@]:1:COMP_CWORD}")
  if declare -F _get_comp_words_by_ref >/dev/null; then
    local cur prev cword
    _get_comp_words_by_ref -n "=:" -w words -i cword -c cur 2>/dev/null && typed=("${words[@]:1:cword}")
  fi
  [[ $current ]] || return 0
  while IFS= read -r line; do
    if [[ $line == :file ]]; then
      compopt -o filenames 2>/dev/null
      COMPREPLY+=($(compgen -f -- "${typed[-1]}"))
      continue
    fi
    word=${line%%$'\t'*}
    COMPREPLY+=("$(printf '%q' "$word")")
  done < <(telctl __complete -- "${typed[@]}" 2>/dev/null)
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
  if declare -F __ltrim_colon_completions >/dev/null; then __ltrim_colon_completions "${typed[-1]}"; fi
}
complete -F _telctl telctl
