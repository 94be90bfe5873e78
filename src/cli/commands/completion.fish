# fish completion for loop and loopd. To keep it: loop completion fish > ~/.config/fish/completions/loop.fish
# fish looks for that of loopd under its own name: ln -s loop.fish ~/.config/fish/completions/loopd.fish
function __loop_complete
  set -l words (commandline -opc)
  set -l typed (commandline -ct)
  for line in ($argv[1] __complete $words[2..-1] $typed 2>/dev/null)
    switch $line
      case :files
        set -l before (string match -r '^--[^=]*=' -- $typed)
        for file in (__fish_complete_path (string replace -r '^--[^=]*=' '' -- $typed))
          echo "$before$file"
        end
      case ':*' # fish adds no space behind = anyway
      case '*'
        echo $line
    end
  end
end

complete -c loop -f -a '(__loop_complete loop)'
complete -c loopd -f -a '(__loop_complete loopd)'
