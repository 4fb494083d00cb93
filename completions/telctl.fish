# fish completion for telctl. Made by: telctl completion fish
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
