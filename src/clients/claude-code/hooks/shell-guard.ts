/** What a shell command would reach or run that is not for agents, as far as its text tells. In doubt: yes. */

import type { Guarded, GuardedPlaces } from './guarded-places.ts'
import { isLooking, mayRunText, operatorOnly, type OperatorOnly } from './operator-commands.ts'
import { absolutePattern, type PathPattern } from './path-pattern.ts'
import { readShell, UNKNOWN, unescaped, type SimpleCommand } from './shell-words.ts'

export interface ShellPlace {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export type ShellFinding = Guarded | OperatorOnly | 'folder-of-transcripts' | 'unreadable'

const mostFolders = 64
const deepestQuotes = 3

export function inspectShell(
  text: string,
  places: GuardedPlaces,
  { cwd, env }: ShellPlace,
): ShellFinding | undefined {
  const shell = readShell(text, env)
  if (shell.isBeyond) return 'unreadable'
  const commands = withQuoted(shell.commands, env, deepestQuotes)
  const home = env.HOME ?? ''
  const tilde = (word: string): string => word.replace(/^~[\w.-]*(?=\/|$)/, home)

  const operator = operatorOnly(commands)
  if (operator !== undefined) return operator

  const bases = new Set<PathPattern>([cwd])
  for (const target of commands.flatMap(enteredFolders)) {
    for (const base of Array.from(bases)) bases.add(absolutePattern(tilde(target), base))
    if (bases.size > mostFolders) return 'unreadable'
  }
  const readers = commands.map((command) => readsFolders(command, text)).filter((one) => one !== undefined)
  const isRun = mayRunText(commands)
  const words = new Set(commands.flatMap((command) => candidates(command, !isRun && isLooking(command))))
  for (const word of words) {
    for (const base of bases) {
      const found = places.reachedBy(tilde(word), base)
      if (found !== undefined) return found
      if (readers.length > 0 && places.liesBelow(tilde(word), base)) return 'folder-of-transcripts'
    }
  }
  if (!readers.includes('here')) return undefined
  const walked = [...bases, ...(namesHome.test(text) ? [home] : [])]
  return walked.some((folder) => places.liesBelow(folder)) ? 'folder-of-transcripts' : undefined
}

/** How programs ask for the home folder. */
const namesHome = /homedir|\.home\b|environ|expanduser|\bHOME\b|getenv/

/** Quoted and encoded text may be a program of its own. */
function withQuoted(
  commands: readonly SimpleCommand[],
  env: ShellPlace['env'],
  depth: number,
): readonly SimpleCommand[] {
  if (depth === 0) return commands
  const isRun = mayRunText(commands)
  const inner = commands
    .filter((command) => isRun || !isLooking(command))
    .flatMap((command) => command.flatMap(programsIn))
    .flatMap((text) => readShell(text, env).commands)
  return inner.length === 0 ? commands : [...commands, ...withQuoted(inner, env, depth - 1)]
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
 * What of a command may be a path: every word, what stands in one behind `=`, `:`, `@` and the like, and all of it without
 * quotes and plus signs. Of a text that is only looked at, such as the message of a commit, nothing but the whole.
 */
function candidates(command: SimpleCommand, isLookedAt: boolean): string[] {
  return command.flatMap((word) => {
    if (isLookedAt && /\s/.test(word)) return [word]
    const pieces = word.split(/[=:@,<>'"`()[\]{}+\s;|&\\]+/)
    const fromSlash = word.includes('/') ? [word.slice(word.indexOf('/'))] : []
    const all = [word, ...fromSlash, ...pieces, word.replaceAll(/['"`+,\s\\]/g, '')]
    return all.filter((piece) => piece !== '' && piece !== '-')
  })
}

/** Folders that a command goes to before it, or another, begins. */
function enteredFolders(command: SimpleCommand): string[] {
  const words = command.filter((word) => word !== 'builtin' && word !== 'command')
  const targets = words.flatMap((word, index) => {
    if (/^(?:-C|--directory|--cwd|--chdir|--prefix)$/.test(word)) return [words[index + 1] ?? '']
    const joined = /^(?:--directory=|--cwd=|--chdir=|-C)(.+)$/.exec(word)
    return joined === null ? [] : [joined[1]!]
  })
  if (!/^(?:cd|pushd|chdir)$/.test(words[0] ?? '')) return targets
  const folder = words.slice(1).find((word) => !/^-[LPe@]+$|^--$/.test(word)) ?? '~'
  return [...targets, folder === '-' ? UNKNOWN : folder]
}

const alwaysDeep =
  /^(?:tar|bsdtar|zip|7z|rsync|ln|mv|mount|docker|podman|bwrap|chroot|cpio|parallel|rg|ag|ack|ugrep|rgrep|fd|fdfind)$/
const searches = /^[efz]?grep$/
const copies = /^(?:cp|scp|diff)$/
const toldToSearch = /^-[A-Za-z]*[rR]|^--(?:recursive|dereference|directories)|^recurse$/
const toldToCopy = /^-[A-Za-z]*[rRa]|^--(?:recursive|archive)/
const code = /^(?:python[\d.]*|node|bun|deno|perl|ruby|php|lua|awk|gawk)$/
const walks = /walk|glob|readdir|scandir|listdir|opendir|\bfind\b|entries|ls\b/i
/** Those that begin where the shell stands when they are given no folder. */
const startsHere = /^(?:[efz]?grep|rg|ag|ack|ugrep|rgrep|fd|fdfind|find|git)$/

/** Whether a command reads everything below a folder, or gives a folder another name; `here`: also below its own. */
function readsFolders(command: SimpleCommand, text: string): 'here' | 'named' | undefined {
  const found = command.map((word, index) => {
    const name = word.slice(word.lastIndexOf('/') + 1)
    const isDeep =
      alwaysDeep.test(name) ||
      (searches.test(name) && command.slice(index + 1).some((flag) => toldToSearch.test(flag))) ||
      (copies.test(name) && command.slice(index + 1).some((flag) => toldToCopy.test(flag))) ||
      (name === 'git' && command.includes('--no-index')) ||
      (name === 'find' && /-(?:exec|ok|fprint|fls)|[|`]|\$\(|<\(/.test(text))
    if (isDeep) return startsHere.test(name) ? 'here' : 'named'
    return command[0] !== 'find' && code.test(name) && walks.test(text) ? 'here' : undefined
  })
  return found.find((one) => one === 'here') ?? found.find((one) => one !== undefined)
}
