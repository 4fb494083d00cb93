# bash completion for telctl. Made by: telctl completion bash
_telctl() {
  local line word current begun index glue=
  local -a typed=()
  COMPREPLY=()
  # bash splits words at "=" and ":"; they are put together again as telctl would get them.
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]}
    if [[ ( $word == = || $word == : ) && ${#typed[@]} -gt 0 ]]; then
      typed[${#typed[@]}-1]+=$word
      glue=1
    elif [[ $glue ]]; then
      typed[${#typed[@]}-1]+=$word
      glue=
    else
      typed+=("$word")
    fi
  done
  (( ${#typed[@]} )) || return 0
  current=${COMP_WORDS[COMP_CWORD]}
  [[ $current == = || $current == : ]] && current=
  begun=${typed[${#typed[@]}-1]}
  begun=${begun%"$current"}
  while IFS= read -r line; do
    if [[ $line == :file ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
      continue
    fi
    word=${line%%$'\t'*}
    COMPREPLY+=("$(printf '%q' "${word#"$begun"}")")
  done < <(telctl __complete -- "${typed[@]}" 2>/dev/null)
}
complete -F _telctl telctl
