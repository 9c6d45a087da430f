/** Completion scripts for all our programs. All they know about them is how to ask ctxd. */

export const shells = ['bash', 'zsh', 'fish'] as const
const programs = 'ctxd contextd contextd-proxy'
export type ShellName = (typeof shells)[number]

const bash = `# bash completion for ${programs}
_ctxd() {
  local answer
  COMPREPLY=()
  while IFS= read -r answer; do
    if [[ $answer == ':files' ]]; then
      compopt -o default 2>/dev/null
      return
    fi
    COMPREPLY+=("$answer")
  done < <(ctxd __complete bash "\${COMP_LINE:0:COMP_POINT}" "\${COMP_WORDS[COMP_CWORD]}" 2>/dev/null)
}
complete -F _ctxd ${programs}
`

const zsh = `#compdef ${programs}
_ctxd() {
  local -a names shown
  local answer name
  while IFS= read -r answer; do
    if [[ $answer == ':files' ]]; then
      _files
      return
    fi
    name=\${answer%%$'\\t'*}
    names+=("$name")
    if [[ $answer == *$'\\t'* ]]; then
      shown+=("$name  -- \${answer#*$'\\t'}")
    else
      shown+=("$name")
    fi
  done < <(ctxd __complete words "\${(@Q)words[1,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  (( \${#names} )) && compadd -l -d shown -a names
}
if [[ $funcstack[1] == _ctxd ]]; then
  _ctxd "$@"
else
  compdef _ctxd ${programs}
fi
`

const fish = `# fish completion for ${programs}
function __ctxd_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l answers (ctxd __complete words $words 2>/dev/null)
  if test "$answers[1]" = ':files'
    __fish_complete_path (commandline -ct)
  else if test (count $answers) -gt 0
    printf '%s\\n' $answers
  end
end
for program in ${programs}
  complete -c $program -f -a '(__ctxd_complete)'
end
`

export const scripts: Readonly<Record<ShellName, string>> = { bash, zsh, fish }
