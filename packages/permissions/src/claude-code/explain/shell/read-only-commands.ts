/** What Claude Code takes for a command that only looks, and runs without a rule; and which words of a command are paths. */

/** Whatever their arguments say. */
const looking = new Set(
  (
    'ls cat head tail wc grep rg pwd echo printf true false date whoami hostname uname id which type file stat du df ps ' +
    'sort cut tr jq diff tree basename dirname realpath sleep test [ [[ cd history seq nl base64 md5sum sha256sum od ' +
    'hexdump strings man help uptime free lsof netstat ss cmp comm column paste rev tac expr locale cal nproc readlink ' +
    'pgrep find arch egrep expand fd fdfind fgrep fmt fold groups ifconfig numfmt pr sha1sum tput tsort unexpand uniq'
  ).split(' '),
)

const gitLooking =
  /^(?:status|log|diff|show|blame|ls-files|rev-parse|describe|for-each-ref|grep|merge-base|rev-list|shortlog)$/

/** Words with which a command that looks does more than that, or may. */
const doingMore: Readonly<Record<string, RegExp>> = {
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
/** What `xargs` may start. */
const fedLooking = /^(?:echo|grep|head|printf|tail|wc)$/

/** By the words of one command, its wrappers already off. */
export function isReadOnly(words: readonly string[]): boolean {
  const [name = '', ...rest] = words
  // Nothing but a variable.
  if (/^[A-Za-z_]\w*=/.test(name)) return rest.length === 0
  if (name === 'find') return unsafeFind(words) === undefined
  // Home is another folder.
  if (name === 'cd' && rest.length === 0) return false
  if (looking.has(name)) return !rest.some((word) => doingMore[name]?.test(word))
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
  return fedLooking.test(words.find((word) => !/^-[0r]$/.test(word)) ?? 'echo')
}

function isReadOnlyGit([command = '', ...rest]: readonly string[]): boolean {
  if (gitLooking.test(command)) return !rest.some((word) => /^--(?:output|ext-diff)/.test(word))
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

/** What makes `find` run or remove something; not where it is only what something is looked for by. */
export function unsafeFind(words: readonly string[]): string | undefined {
  return words.find(
    (word, at) =>
      /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls|files0-from)$/.test(word) &&
      !/^-i?(?:name|path|regex|lname|wholename)$/.test(words[at - 1] ?? ''),
  )
}

const firstWordIsNoPath = new Set(['grep', 'egrep', 'fgrep', 'rg', 'sed', 'awk', 'jq', 'tr'])
const noPaths = new Set(
  (
    'echo printf true false date whoami hostname uname id which type sleep seq expr ps history man help pwd test [ [[ ' +
    'arch du fd fdfind groups ifconfig numfmt readlink realpath tput tree'
  ).split(' '),
)
const reads = new Set([...looking, 'awk', 'sed', 'cp'].filter((name) => !noPaths.has(name)))
const writes = new Set(['touch', 'mkdir', 'rmdir', 'rm', 'mv', 'cp', 'tee', 'sed'])
/** What `acceptEdits` lets through, inside the project. */
const edits = new Set(['touch', 'mkdir', 'rmdir', 'rm', 'mv', 'cp', 'sed'])

export interface CommandPaths {
  readonly read: readonly string[]
  readonly written: readonly string[]
}

/** The words of a command that the client takes for paths. */
export function commandPaths(words: readonly string[]): CommandPaths {
  const [called = '', ...rest] = words
  const inFolder = called.slice(called.lastIndexOf('/') + 1)
  // Of programs with their folder the client knows those that write.
  const name = writes.has(inFolder) ? inFolder : called
  const plain = wordsThatAreNoFlags(rest)
  const paths = firstWordIsNoPath.has(name) ? plain.slice(1) : plain
  if (name === 'git') return { read: pathsOfGit(plain), written: [] }
  if (name === 'cd' && rest.length === 0) return { read: ['~'], written: [] }
  if (name === 'cp' || name === 'mv') return pathsOfCopy(name, rest, plain)
  if (name === 'sed') return { read: isEditing(rest) ? [] : paths, written: isReadOnly(words) ? [] : paths }
  if (firstWordIsNoPath.has(name)) return { read: [...paths, ...programFiles(rest)], written: [] }
  if (writes.has(name)) return { read: [], written: paths }
  return { read: reads.has(name) ? paths : [], written: [] }
}

function pathsOfGit([command, ...words]: readonly string[]): readonly string[] {
  if (command === 'grep') return words.slice(1)
  return command === 'diff' ? words : []
}

function pathsOfCopy(name: string, words: readonly string[], plain: readonly string[]): CommandPaths {
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

/** Removes a folder and all that is in it. */
export function isRecursiveRemoval(words: readonly string[]): boolean {
  return words[0] === 'rm' && words.some((word) => /^-[a-zA-Z]*[rR]|^--recursive$/.test(word))
}
