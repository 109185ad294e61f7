/** The name of the hidden command that the scripts call with the words of the line. */
export const COMPLETE = '__complete';

/** Completion scripts. They insert what the command prints as it is, so it prints nothing that a shell would expand. */
export const SCRIPTS = {
  bash: `# Load it with: source <(slipway completion bash)
_slipway() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("$candidate")
  done < <(slipway ${COMPLETE} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _slipway slipway
`,
  zsh: `#compdef slipway
# Load it with: source <(slipway completion zsh)
_slipway() {
  local -a candidates
  candidates=("\${(@f)$(slipway ${COMPLETE} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${candidates[1]}" ]]; then compadd -a candidates; else _files; fi
}
compdef _slipway slipway
`,
  fish: `# Load it with: slipway completion fish | source
function __slipway
  set -l candidates (slipway ${COMPLETE} -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if set -q candidates[1]
    printf '%s\\n' $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c slipway -f -a '(__slipway)'
`,
} as const;
