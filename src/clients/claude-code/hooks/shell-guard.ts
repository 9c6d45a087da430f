/** What a shell command would reach or run that is not for agents, as far as its text tells. In doubt: yes. */

import type { Guarded } from './guarded-list.ts'
import type { GuardedPlaces } from './guarded-places.ts'
import { isLooking, mayRunText, operatorOnly, type OperatorOnly } from './operator-commands.ts'
import { absolutePattern, toPattern, type ShellPathPattern } from './path-pattern.ts'
import { readShell, STAR, UNKNOWN, unescaped, type ShellText, type SimpleCommand } from './shell-words.ts'

export interface ShellPlace {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export type ShellFinding = Guarded | OperatorOnly | 'folder-of-transcripts' | 'unreadable'

const maxFolders = 64
const maxQuoteDepth = 3

/** A line with everything that it may run. */
export interface GuardedLine {
  /** Also what quoted text would run, in case that anything runs it. */
  readonly commands: readonly SimpleCommand[]
  /** Those that do run, and what their output is redirected to. */
  readonly running: Read
  /** The folders in which a command of the line may run. */
  readonly bases: ReadonlySet<ShellPathPattern>
  /** The word with what `~` means at its beginning. */
  tilde(word: string): string
}

/** Undefined where it is too long or too deep to be checked. */
export function readGuardedLine(text: string, { cwd, env }: ShellPlace): GuardedLine | undefined {
  const shell = readShell(text, env)
  const read = shell.isBeyond ? undefined : withQuoted(shell, env, maxQuoteDepth)
  if (read === undefined) return undefined
  const { commands, running } = read
  const tilde = (word: string): string =>
    word
      .replace(/^~\+(?=\/|$)/, '.')
      .replace(/^~-(?=\/|$)/, UNKNOWN)
      .replace(/^~[\w.-]*(?=\/|$)/, env.HOME ?? '')
  const bases = new Set<ShellPathPattern>([cwd, ...searchedByCd(commands, env).map(tilde)])
  for (const target of commands.flatMap(enteredFolders)) {
    for (const base of Array.from(bases)) bases.add(absolutePattern(tilde(target), base))
    if (bases.size > maxFolders) return undefined
  }
  return { commands, running, bases, tilde }
}

export function inspectShell(
  text: string,
  places: GuardedPlaces,
  place: ShellPlace,
): ShellFinding | undefined {
  const line = readGuardedLine(text, place)
  if (line === undefined) return 'unreadable'
  const { commands, bases, tilde } = line
  const home = place.env.HOME ?? ''

  const operator = operatorOnly(commands)
  if (operator !== undefined) return operator

  const readers = commands.map((command) => readsFolders(command, text)).filter((one) => one !== undefined)
  const isRun = mayRunText(commands)
  const asksForHome = namesHome.test(text)
  const words = new Set(
    commands.flatMap((command) => candidates(command, !isRun && isLooking(command), asksForHome)),
  )
  for (const word of words) {
    for (const base of bases) {
      const found = places.reachedBy(tilde(word), base)
      if (found !== undefined) return found
      if (readers.length > 0 && places.liesBelow(tilde(word), base)) return 'folder-of-transcripts'
    }
  }
  // `**`, which some shells take for everything below.
  const walkedByShell = commands.flat().filter((word) => word.includes(STAR + STAR))
  for (const word of walkedByShell) {
    const folder = tilde(word.slice(0, word.indexOf(STAR + STAR)))
    if ([...bases].some((base) => places.liesBelow(folder, base))) return 'folder-of-transcripts'
  }
  if (commands.some(takesUnknown) && [...words].some((word) => holdsGuarded(tilde(word), bases, places)))
    return 'folder-of-transcripts'
  if (!readers.includes('here')) return undefined
  const walked = [...bases, ...(asksForHome ? [home] : [])]
  return walked.some((folder) => places.liesBelow(folder)) ? 'folder-of-transcripts' : undefined
}

/** How programs ask for the home folder. */
const namesHome = /homedir|\.home\b|environ|expanduser|\bHOME\b|getenv/

/** What is unknown may be what else the line names: `for d in ~/.claude/projects/*; do cat $d/*; done`. */
function takesUnknown(command: SimpleCommand): boolean {
  return (
    !/^(?:echo|printf|test|\[)$/.test(command[0] ?? '') && command.some((word) => word.startsWith(UNKNOWN))
  )
}

function holdsGuarded(word: string, bases: ReadonlySet<ShellPathPattern>, places: GuardedPlaces): boolean {
  return [...bases].some((base) => places.isNear(word, base) && places.liesBelow(word, base))
}

/** Folders in which `cd` looks for a name. */
function searchedByCd(commands: readonly SimpleCommand[], env: ShellPlace['env']): string[] {
  const set = commands.flat().flatMap((word) => /^CDPATH=(.*)$/s.exec(word)?.[1] ?? [])
  return [...set, env.CDPATH ?? ''].flatMap((list) => list.split(':')).filter((folder) => folder !== '')
}

type Read = Pick<ShellText, 'commands' | 'targets'>
type ReadThrough = Pick<GuardedLine, 'commands' | 'running'>

/** Quoted and encoded text may be a program of its own. Undefined where it cannot be read to its end. */
function withQuoted(shell: Read, env: ShellPlace['env'], depth: number): ReadThrough | undefined {
  const { commands, targets } = shell
  const isRun = mayRunText(commands)
  const texts = commands
    .filter((command) => isRun || !isLooking(command))
    .flatMap((command) => command.flatMap(programsIn))
  if (texts.length === 0) return { commands, running: shell }
  if (depth === 0) return isRun ? undefined : { commands, running: shell }
  const read = texts.map((text) => readShell(text, env))
  if (read.some(({ isBeyond }) => isBeyond)) return undefined
  const quoted = {
    commands: read.flatMap((one) => one.commands),
    targets: read.flatMap((one) => one.targets),
  }
  const inner = withQuoted(quoted, env, depth - 1)
  if (inner === undefined) return undefined
  const also = isRun ? inner.running : { commands: [], targets: [] }
  return {
    commands: [...commands, ...inner.commands],
    running: { commands: [...commands, ...also.commands], targets: [...targets, ...also.targets] },
  }
}

function programsIn(word: string): string[] {
  const plain = /[\s;|&()'"`]/.test(word) ? [word] : []
  return plain.concat(word.includes('\\') ? unescaped(word) : [], decoded(word))
}

/** Text that base64 or hexadecimal digits stand for. */
function decoded(word: string): string[] {
  const found: string[] = []
  for (const [run] of word.matchAll(/[A-Za-z0-9+/_-]{12,}={0,2}/g)) {
    const encodings: BufferEncoding[] = /^(?:[\dA-Fa-f]{2})+$/.test(run) ? ['base64', 'hex'] : ['base64']
    for (const encoding of encodings) {
      const text = Buffer.from(run, encoding).toString('latin1')
      if (/^[\t\n\r\x20-\x7E]{6,}$/.test(text)) found.push(text)
    }
  }
  return found
}

/**
 * What of a command may be a path: every word, what follows `=`, `:`, `@` and the like in one, and all of it without
 * quotes and plus signs. Of a text that is only looked at, such as the message of a commit, nothing but the whole.
 */
function candidates(command: SimpleCommand, isLookedAt: boolean, asksForHome: boolean): string[] {
  return command.flatMap((word) => {
    if (isLookedAt && /\s/.test(word)) return [word]
    const pieces = word.split(/[=:@,<>'"`()[\]{}+\s;|&\\]+/)
    const joined = [/['"`+,\s\\]/g, /['"`]\s*\/\s*['"`]/g, /['"`]\s*,\s*['"`]/g].flatMap((between, index) =>
      word.replaceAll(between, index === 0 ? '' : '/').split(/[=:@<>'"`()[\]{}\s;|&]+/),
    )
    const fromSlash = /\/./s.test(word) ? [word.slice(word.indexOf('/'))] : []
    const parts = [...fromSlash, ...pieces, ...joined].filter((part) => part !== '')
    // A path after something else in a program may begin at home.
    const rootless = parts.filter((part) => part !== word && part.startsWith('/')).map((part) => `~${part}`)
    const atHome = asksForHome ? parts.map((part) => `~/${part}`) : []
    const all = [word, ...parts, ...rootless, ...atHome, word.replaceAll(/['"`+,\s\\]/g, '')]
    return all
      .filter((piece) => piece !== '' && piece !== '-')
      .flatMap((piece) => (isLookedAt || !/[*?]/.test(piece) ? [piece] : [piece, toPattern(piece)]))
  })
}

/** Folders that a command goes to before it, or another, begins. */
function enteredFolders(command: SimpleCommand): string[] {
  const words = command.filter((word) => word !== 'builtin' && word !== 'command')
  const targets = words.flatMap((word, index) => {
    if (/^(?:-[CD]|--(?:directory|cwd|chdir|prefix|wd|working-directory|work-tree))$/.test(word))
      return [words[index + 1] ?? '']
    const joined = /^(?:--(?:directory|cwd|chdir|prefix|wd|working-directory|work-tree)=|-C)(.+)$/.exec(word)
    return joined === null ? [] : [joined[1]!]
  })
  if (!/^(?:cd|pushd|chdir)$/.test(words[0] ?? '')) return targets
  const folder = words.slice(1).find((word) => !/^-[LPe@]+$|^--$/.test(word)) ?? '~'
  return [...targets, folder === '-' ? UNKNOWN : folder]
}

const alwaysDeep =
  /^(?:tar|bsdtar|zip|7z|rsync|ln|mv|mount|docker|podman|bwrap|chroot|cpio|parallel|xargs|rg|ag|ack|ugrep|rgrep|fd|fdfind)$/
const searches = /^[efz]?grep$/
const copies = /^(?:cp|scp|diff)$/
const recursiveSearchFlags = /^-[A-Za-z]*[rR]|^--(?:recursive|dereference|directories)|^recurse$/
const recursiveCopyFlags = /^-[A-Za-z]*[rRa]|^--(?:recursive|archive)/
const code = /^(?:python[\d.]*|node|bun|deno|perl|ruby|php|lua|awk|gawk)$/
const walks = /walk|glob|readdir|scandir|listdir|opendir|\bfind\b|entries|ls\b/i
/** Those that begin where the shell stands when they are given no folder. */
const startsHere = /^(?:[efz]?grep|rg|ag|ack|ugrep|rgrep|fd|fdfind|find|git|du|tree|ls)$/
/** Those that name everything below a folder, and where something else takes the names. */
const lists = /^(?:du|tree|ls)$/
const recursiveListFlags = /^-[A-Za-z]*[aRf]|^--(?:all|recursive)/
const takesNames = /\b(?:read|readarray|mapfile|xargs|parallel)\b|[`]|\$\(|<\(/

/** Whether a command reads everything below a folder, or gives a folder another name; `here`: also below its own. */
function readsFolders(command: SimpleCommand, text: string): 'here' | 'named' | undefined {
  const found = command.map((word, index) => {
    const name = word.slice(word.lastIndexOf('/') + 1)
    const isDeep =
      alwaysDeep.test(name) ||
      (searches.test(name) && command.slice(index + 1).some((flag) => recursiveSearchFlags.test(flag))) ||
      (copies.test(name) && command.slice(index + 1).some((flag) => recursiveCopyFlags.test(flag))) ||
      (name === 'git' && command.some((flag) => /^--(?:no-index|work-tree)/.test(flag))) ||
      (lists.test(name) && takesNames.test(text) && command.some((flag) => recursiveListFlags.test(flag))) ||
      (name === 'find' && /-(?:exec|ok|fprint|fls)|[|`]|\$\(|<\(/.test(text))
    if (isDeep) return startsHere.test(name) ? 'here' : 'named'
    return command[0] !== 'find' && code.test(name) && walks.test(text) ? 'here' : undefined
  })
  return found.find((one) => one === 'here') ?? found.find((one) => one !== undefined)
}
