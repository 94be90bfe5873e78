#compdef loop loopd
# zsh completion for loop and loopd. Put it as _loop into a directory of your fpath, or: source <(loop completion zsh)
_loop() {
  local line tab=$'\t' program=loop
  local -a found ending
  [[ $service == loopd ]] && program=loopd
  for line in "${(@f)$($program __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :files)
        compset -P '--*='
        _files
        return
        ;;
      :nospace) ending=(-S '') ;;
      *$tab*) found+=("${${line%%$tab*}//:/\\:}:${line#*$tab}") ;;
    esac
  done
  _describe loop found "${(@)ending}"
}

if [ "$funcstack[1]" = _loop ]; then
  _loop "$@"
else
  compdef _loop loop loopd
fi
