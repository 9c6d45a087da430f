/** Which commands Claude Code considers read-only and runs without a rule, and which of their words are paths. */

/** Read-only unless an argument matches `unsafeArguments`. */
const readOnlyPrograms = new Set(
  (
    'ls cat head tail wc grep rg pwd echo printf true false date whoami hostname uname id which type file stat du df ps ' +
    'sort cut tr jq diff tree basename dirname realpath sleep test [ [[ cd history seq nl base64 md5sum sha256sum od ' +
    'hexdump strings man help uptime free lsof netstat ss cmp comm column paste rev tac expr locale cal nproc readlink ' +
    'pgrep find arch egrep expand fd fdfind fgrep fmt fold groups ifconfig numfmt pr sha1sum tput tsort unexpand uniq'
  ).split(' '),
)

const readOnlyGit =
  /^(?:status|log|diff|show|blame|ls-files|rev-parse|describe|for-each-ref|grep|merge-base|rev-list|shortlog)$/

/** Arguments with which a read-only command may have side effects. */
const unsafeArguments: Readonly<Record<string, RegExp>> = {
  arch: /./,
  date: /^(?:\d{8}|-s|--set)/,
  fd: /^(?:-[a-zA-Z]*[xX]|--exec)/,
  fdfind: /^(?:-[a-zA-Z]*[xX]|--exec)/,
  file: /^-[a-zA-Z]*[Cm]/,
  history: /^-/,
  hostname: /^[^-]/,
  ifconfig: /^up$|^down$/,
  jq: /^(?:-[a-zA-Z]*f|--from-file)|\benv\b/,
  man: /^-[a-zA-Z]*P/,
  printf: /^-v/,
  ps: /^[a-zA-Z]*e/,
  pwd: /./,
  rg: /^(?:-[a-zA-Z]*z|--pre|--files$)/,
  sort: /^(?:-[a-zA-Z]*[oTk]|--output|--compress-program|--temporary-directory)/,
  ss: /^-[a-zA-Z]*K/,
  tput: /^(?:reset|init)$/,
  tree: /^-[a-zA-Z]*o/,
  uniq: /^[^-]/,
}
/** Programs that are read-only when started by `xargs`. */
const readOnlyUnderXargs = /^(?:echo|grep|head|printf|tail|wc)$/

/** Expects the words of one command, without wrappers. */
export function isReadOnly(words: readonly string[]): boolean {
  const [name = '', ...rest] = words
  // An assignment only.
  if (/^[A-Za-z_]\w*=/.test(name)) return rest.length === 0
  if (name === 'find') return unsafeFind(words) === undefined
  // A bare `cd` leaves the project for home.
  if (name === 'cd' && rest.length === 0) return false
  if (readOnlyPrograms.has(name)) return !rest.some((word) => unsafeArguments[name]?.test(word))
  if (name === 'xargs') return isReadOnlyXargs(rest)
  if (name === 'ip') return rest.length === 1 && rest[0] === 'addr'
  if (name === 'sed') return rest[0] === '-n' && /^(?:(?:\d+(?:,\d+)?)?p;?)+$/.test(rest[1] ?? '')
  if (name === 'git') return isReadOnlyGit(rest)
  if (name === 'docker') return /^(?:ps|images|inspect|logs)$/.test(rest[0] ?? '')
  if (name === 'node' || name === 'python3' || name === 'python')
    return rest.length === 1 && /^(?:--version|-v)$/.test(rest[0]!)
  return false
}

function isReadOnlyXargs(words: readonly string[]): boolean {
  return readOnlyUnderXargs.test(words.find((word) => !/^-[0r]$/.test(word)) ?? 'echo')
}

function isReadOnlyGit([command = '', ...rest]: readonly string[]): boolean {
  if (readOnlyGit.test(command)) return !rest.some((word) => /^--(?:output|ext-diff)/.test(word))
  if (command === 'branch')
    return rest.includes('-l') || rest.every((word) => /^(?:-[arv]+|--list|--show-current)$/.test(word))
  if (command === 'tag') return rest.every((word) => word.startsWith('-l'))
  if (command === 'cat-file') return /^-[pt]$/.test(rest[0] ?? '')
  if (command === 'config') return rest[0] === '--get'
  if (command === 'ls-remote') return rest.every((word) => word.startsWith('-'))
  if (command === 'reflog') return rest.length === 0 || rest[0] === 'show'
  if (command === 'worktree') return rest[0] === 'list'
  if (command === 'remote') return rest.length === 0 || (rest.length === 1 && rest[0] === '-v')
  return command === 'stash' && /^(?:list|show)$/.test(rest[0] ?? '')
}

/** The argument that makes `find` run, write or delete something. Values of search criteria do not matter. */
export function unsafeFind(words: readonly string[]): string | undefined {
  return words.find(
    (word, at) =>
      /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls|files0-from)$/.test(word) &&
      !/^-i?(?:name|path|regex|lname|wholename)$/.test(words[at - 1] ?? ''),
  )
}

const firstWordIsPattern = new Set(['grep', 'egrep', 'fgrep', 'rg', 'sed', 'awk', 'jq', 'tr'])
const withoutPaths = new Set(
  (
    'echo printf true false date whoami hostname uname id which type sleep seq expr ps history man help pwd test [ [[ ' +
    'arch du fd fdfind groups ifconfig numfmt readlink realpath tput tree'
  ).split(' '),
)
const readers = new Set([...readOnlyPrograms, 'awk', 'sed', 'cp'].filter((name) => !withoutPaths.has(name)))
const writers = new Set(['touch', 'mkdir', 'rmdir', 'rm', 'mv', 'cp', 'tee', 'sed'])
/** Commands that `acceptEdits` allows inside the project. */
const editCommands = new Set(['touch', 'mkdir', 'rmdir', 'rm', 'mv', 'cp', 'sed'])

export interface CommandPaths {
  readonly read: readonly string[]
  readonly written: readonly string[]
}

/** The words of a command that the client treats as paths. */
export function commandPaths(words: readonly string[]): CommandPaths {
  const [called = '', ...rest] = words
  const basename = called.slice(called.lastIndexOf('/') + 1)
  // With a path in front, the client recognizes only programs that write.
  const name = writers.has(basename) ? basename : called
  const plain = operands(rest)
  const paths = firstWordIsPattern.has(name) ? plain.slice(1) : plain
  if (name === 'git') return { read: gitPaths(plain), written: [] }
  if (name === 'cd' && rest.length === 0) return { read: ['~'], written: [] }
  if (name === 'cp' || name === 'mv') return copyPaths(name, rest, plain)
  if (name === 'sed') return { read: isEditing(rest) ? [] : paths, written: isReadOnly(words) ? [] : paths }
  if (firstWordIsPattern.has(name)) return { read: [...paths, ...programFiles(rest)], written: [] }
  if (writers.has(name)) return { read: [], written: paths }
  return { read: readers.has(name) ? paths : [], written: [] }
}

function gitPaths([command, ...words]: readonly string[]): readonly string[] {
  if (command === 'grep') return words.slice(1)
  return command === 'diff' ? words : []
}

function copyPaths(name: string, words: readonly string[], plain: readonly string[]): CommandPaths {
  const flag = words.find((word) => word.startsWith('--target-directory='))
  const at = words.indexOf('-t')
  const folder = flag?.slice(flag.indexOf('=') + 1) ?? (at === -1 ? undefined : words[at + 1])
  const target = folder ?? plain.at(-1)
  const read = plain.filter((word) => word !== target)
  return { read, written: [...(name === 'mv' ? read : []), ...(target === undefined ? [] : [target])] }
}

/** `grep -f patterns`, `awk -f program`. */
function programFiles(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    if (word.startsWith('--file=')) return [word.slice('--file='.length)]
    const next = words[at + 1]
    return word === '-f' && next !== undefined ? [next] : []
  })
}

function operands(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  const before = end === -1 ? words : words.slice(0, end)
  return [...before.filter((word) => !word.startsWith('-')), ...(end === -1 ? [] : words.slice(end + 1))]
}

function isEditing(flags: readonly string[]): boolean {
  return flags.some((word) => /^-(?:[a-zA-Z]*i|-in-place)/.test(word))
}

export function isEditCommand(words: readonly string[]): boolean {
  return editCommands.has(words[0] ?? '')
}

/** Whether it is a recursive `rm`. */
export function isRecursiveRemoval(words: readonly string[]): boolean {
  return words[0] === 'rm' && words.some((word) => /^-[a-zA-Z]*[rR]|^--recursive$/.test(word))
}
