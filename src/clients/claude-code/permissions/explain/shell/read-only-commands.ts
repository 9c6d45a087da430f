/** What Claude Code takes for a command that only looks, and runs without a rule; and which words of a command are paths. */

/** Whatever their arguments say. */
const looking = new Set(
  (
    'ls cat head tail wc grep rg pwd echo printf true false date whoami hostname uname id which type file stat du df ps ' +
    'sort cut tr jq diff tree basename dirname realpath sleep test [ [[ cd history seq nl base64 md5sum sha256sum od ' +
    'hexdump strings man help uptime free lsof netstat ss cmp comm column paste rev tac expr locale cal nproc readlink ' +
    'pgrep find'
  ).split(' '),
)

const gitLooking = /^(?:status|log|diff|show|blame|ls-files|rev-parse)$/

/** By the words of one command, its wrappers already off. */
export function isReadOnly(words: readonly string[]): boolean {
  const [name = '', ...rest] = words
  // Nothing but variables.
  if (words.every((word) => /^[A-Za-z_]\w*=/.test(word))) return true
  if (name === 'find') return unsafeFind(words) === undefined
  if (name === 'sort') return !rest.some((word) => /^(?:-[a-zA-Z]*o|--output)/.test(word))
  if (looking.has(name)) return true
  if (name === 'sed') return rest[0] === '-n' && /^(?:\d+(?:,\d+)?)?p$/.test(rest[1] ?? '')
  if (name === 'git') return isReadOnlyGit(rest)
  if (name === 'docker') return rest[0] === 'ps'
  if (name === 'node' || name === 'python3' || name === 'python')
    return rest.length === 1 && /^(?:--version|-v|-V)$/.test(rest[0]!)
  return false
}

function isReadOnlyGit([command = '', ...rest]: readonly string[]): boolean {
  if (gitLooking.test(command)) return true
  if (command === 'branch' || command === 'tag') return rest.every((word) => word.startsWith('-l'))
  if (command === 'remote') return rest.length === 0 || (rest.length === 1 && rest[0] === '-v')
  return command === 'stash' && rest[0] === 'list'
}

/** What makes `find` run or remove something. */
export function unsafeFind(words: readonly string[]): string | undefined {
  if (words[0] !== 'find') return undefined
  return words.find((word) => /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)$/.test(word))
}

const firstWordIsNoPath = new Set(['grep', 'rg', 'sed', 'awk', 'jq', 'tr'])
const noPaths = new Set(
  'echo printf true false date whoami hostname uname id which type sleep seq expr ps history man help pwd test [ [['.split(
    ' ',
  ),
)
const reads = new Set(
  [...looking, 'awk', 'sed', 'uniq', 'cp', 'sha1sum'].filter((name) => !noPaths.has(name)),
)
const writes = new Set(['touch', 'mkdir', 'rmdir', 'rm', 'mv', 'cp', 'tee', 'sed'])
/** What `acceptEdits` lets through, inside the project. */
const edits = new Set(['touch', 'mkdir', 'rmdir', 'rm', 'mv', 'cp', 'sed'])

export interface CommandPaths {
  readonly read: readonly string[]
  readonly written: readonly string[]
}

/** The words of a command that the client takes for paths. */
export function pathsOf(words: readonly string[]): CommandPaths {
  const [name = '', ...rest] = words
  const plain = wordsThatAreNoFlags(rest)
  const paths = firstWordIsNoPath.has(name) ? plain.slice(1) : plain
  if (name === 'git') return { read: rest[0] === 'diff' ? plain.slice(1) : [], written: [] }
  if (name === 'cp') return { read: paths.slice(0, -1), written: paths.slice(-1) }
  if (name === 'sed') return isEditing(rest) ? { read: [], written: paths } : { read: paths, written: [] }
  if (name === 'find') return { read: paths.length === 0 ? [] : paths.slice(0, 1), written: [] }
  if (writes.has(name)) return { read: [], written: paths }
  return { read: reads.has(name) ? paths : [], written: [] }
}

function wordsThatAreNoFlags(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  const before = end === -1 ? words : words.slice(0, end)
  return [...before.filter((word) => !word.startsWith('-')), ...(end === -1 ? [] : words.slice(end + 1))]
}

function isEditing(flags: readonly string[]): boolean {
  return flags.some((word) => /^-(?:[a-zA-Z]*i|-in-place)/.test(word))
}

export function isEditCommand(words: readonly string[]): boolean {
  return edits.has(words[0] ?? '')
}

/** Takes its words for a program. */
export function isEvaluating(words: readonly string[]): boolean {
  return /^(?:eval|exec|alias|source|\.|trap|let|mapfile|readarray|coproc|hash|enable)$/.test(words[0] ?? '')
}

/** Removes a folder and all that is in it. */
export function isRecursiveRemoval(words: readonly string[]): boolean {
  return words[0] === 'rm' && words.some((word) => /^-[a-zA-Z]*[rR]|^--recursive$/.test(word))
}
