/** The scripts only ask `signalbox __complete`, so none of them has to know a command or an option. */

const BASH = `# Completion of signalbox for bash. In ~/.bashrc:
#   eval "$(signalbox completion bash)"
_signalbox() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :file) compopt -o default ;;
      :folder) compopt -o dirnames ;;
      ?*) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(signalbox __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _signalbox signalbox
`;

const ZSH = `#compdef signalbox
# Completion of signalbox for zsh. In ~/.zshrc, after compinit:
#   source <(signalbox completion zsh)
_signalbox() {
  local line word
  local -a found
  for line in "\${(@f)$(signalbox __complete -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
    word=\${line%%$'\\t'*}
    case $line in
      :file) _files ;;
      :folder) _files -/ ;;
      ?*) found+=("\${word//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  if (( $#found )); then _describe -V signalbox found; fi
}
if [[ $funcstack[1] == _signalbox ]]; then _signalbox "$@"; else compdef _signalbox signalbox; fi
`;

const FISH = `# Completion of signalbox for fish. Once:
#   signalbox completion fish > ~/.config/fish/completions/signalbox.fish
function __signalbox_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    for line in (signalbox __complete -- $words[2..] "$typed" 2>/dev/null)
        switch $line
            case ':file'
                __fish_complete_path "$typed"
            case ':folder'
                __fish_complete_directories "$typed"
            case '*'
                echo $line
        end
    end
end
complete -c signalbox -f -a '(__signalbox_complete)'
`;

/** One script a shell. */
export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const;

export type Shell = keyof typeof SCRIPTS;
