# bash completion for telctl. Made by: telctl completion bash
# Sets words to the words of a line without their quotes, and quote to a quote that is still open.
_telctl_words() {
  local text=$1 char next word= begun=
  local -i at
  words=() quote=
  for ((at = 0; at < ${#text}; at++)); do
    char=${text:at:1} next=${text:at+1:1}
    if [[ $quote && $char == "$quote" ]]; then
      quote=
    elif [[ $char == \\ && $quote != "'" && ( ! $quote || $next == [\$\`\"\\] ) ]]; then
      word+=$next begun=1 at+=1
    elif [[ ! $quote && $char == [\"\'] ]]; then
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
  for ((at = 0; at < ${#text}; at++)); do
    char=${text:at:1}
    case $quote:$char in
      "':'") quoted+="'\\''" ;;
      '":!') quoted+='"\!"' ;;
      '":'[\"\$\`\\] | :[\ \!\"\#\$\&\'\(\)\*\;\<\>\?\[\\\]\`\{\|\}\~]) quoted+=\\$char ;;
      *) quoted+=$char ;;
    esac
  done
  printf '%s' "$quoted"
}

_telctl() {
  local line word begun quote typed=${COMP_LINE:0:COMP_POINT}
  local -a words all
  COMPREPLY=()
  _telctl_words "$typed"
  all=("${words[@]:1}")
  # bash replaces the text in $2 only, which begins after a colon, an equals sign or an open quote.
  _telctl_words "${typed%"$2"}"
  begun=${words[${#words[@]}-1]}
  while IFS= read -r line; do
    if [[ $line == :file ]]; then
      compopt -o default 2>/dev/null && continue
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$2")
      continue
    fi
    word=${line%%$'\t'*}
    COMPREPLY+=("$(_telctl_quoted "${word#"$begun"}" "$quote")")
  done < <(telctl __complete -- "${all[@]}" 2>/dev/null)
}
complete -F _telctl telctl
