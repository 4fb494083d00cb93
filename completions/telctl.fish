# fish completion for telctl. Made by: telctl completion fish
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
