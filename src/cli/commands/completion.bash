# bash completion for loop and loopd. For this shell: source <(loop completion bash)
_loop_complete() {
  local word=${COMP_WORDS[COMP_CWORD]} program=loop line
  COMPREPLY=()
  [[ ${COMP_WORDS[0]} == *loopd ]] && program=loopd
  [[ $word == = ]] && word=
  while IFS= read -r line; do
    case $line in
      :files)
        # Each name is one word, whatever its characters; what was typed may be quoted.
        word=${word//\\/}
        mapfile -t COMPREPLY < <(compgen -f -- "${word#[\"\']}")
        compopt -o filenames 2>/dev/null
        ;;
      :nospace) compopt -o nospace 2>/dev/null ;;
      "$word"*) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("$program" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}

complete -F _loop_complete loop loopd
