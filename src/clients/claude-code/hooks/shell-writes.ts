/** The paths that a shell command obviously writes to, as far as its text tells. Pure. */

import { beforeProgram, nameOf } from './operator-commands.ts'
import { absolutePattern, isPlain, mayMeet, toPattern, type ShellPathPattern } from './path-pattern.ts'
import { readGuardedLine, type ShellPlace } from './shell-guard.ts'
import type { SimpleCommand } from './shell-words.ts'

interface Written {
  readonly word: string
  /** What is copied or moved there gets a name below it, if it is a folder. */
  readonly mayBeFolder?: boolean
}

/** `isFolder` says what is there before the line runs. */
export function shellWrites(
  text: string,
  place: ShellPlace,
  isFolder: (path: ShellPathPattern) => boolean,
): ShellPathPattern[] {
  const line = readGuardedLine(text, place)
  // The hook refuses such a line anyway.
  if (line === undefined) return []
  const { commands, targets } = line.running
  const pathsOf = (word: string): ShellPathPattern[] =>
    [...line.bases].map((base) => absolutePattern(line.tilde(word), base))
  const removed = commands.flatMap(removedBy).flatMap(pathsOf)
  const staysFolder = (path: ShellPathPattern): boolean =>
    isFolder(path) && !removed.some((one) => mayMeet(`${one}${toPattern('/**')}`, `${path}/`))
  const written: Written[] = [...targets.map((word) => ({ word })), ...commands.flatMap(writtenBy)]
  const paths = written.flatMap(({ word, mayBeFolder = false }) =>
    pathsOf(word).filter((path) => !mayBeFolder || !staysFolder(path)),
  )
  return [...new Set(paths)]
}

/** Options of these programs that are followed by a value, which is no file to write. */
const withValue: Readonly<Record<string, RegExp>> = {
  sed: /^(?:-[a-zA-Z]*[ef]|--expression|--file)$/,
  perl: /^-[a-zA-Z0-9]*[eEI]$/,
  install: /^-[a-zA-Z]*[gmoS]$|^--(?:group|mode|owner|suffix)$/,
  truncate: /^-[a-zA-Z]*[rs]$|^--(?:reference|size)$/,
  touch: /^-[a-zA-Z]*[drt]$|^--(?:date|reference)$/,
}
const editsInPlace = /^-(?!-)[a-zA-Z0-9]*i|^--in-place/
const targetFolder = /^(?:-[a-zA-Z]*t|--target-directory)$/
const outputFile = /^(?:-[a-zA-Z]*[oO]|--output(?:-document)?)$/

/** With these, the target of a copy is replaced itself, or whole paths appear below it. */
const otherTarget = /^-[a-zA-Z]*[Tnh]|^--(?:no-[td]|pa)/

function writtenBy(command: SimpleCommand): Written[] {
  const { name, args } = programOf(command)
  return copiers.has(name) ? copied(name, args) : filesWrittenBy(name, args).map((word) => ({ word }))
}

const copiers = new Set(['cp', 'mv', 'ln', 'install', 'rsync'])

function filesWrittenBy(name: string, args: readonly string[]): string[] {
  switch (name) {
    case 'tee':
    case 'touch':
    case 'truncate':
      return operandsOf(name, args)
    case 'sed':
      return args.some((arg) => editsInPlace.test(arg)) ? withoutScript(args) : []
    case 'perl':
      return args.some((arg) => editsInPlace.test(arg)) ? operandsOf(name, args) : []
    case 'dd':
      return args.flatMap((arg) => /^of=(.+)$/s.exec(arg)?.[1] ?? [])
    case 'curl':
    case 'wget':
      return [...valuesOf(outputFile, args), ...joinedTo(/^--output(?:-document)?=(.+)$/s, args)]
    default:
      return []
  }
}

function removedBy(command: SimpleCommand): readonly string[] {
  const { name, args } = programOf(command)
  if (name === 'mv') return copyOperands(name, args).sources
  return /^(?:rm|rmdir|unlink)$/.test(name) ? operandsOf(name, args) : []
}

function programOf(command: SimpleCommand): { name: string; args: readonly string[] } {
  const at = command.findIndex((word) => !beforeProgram.test(word))
  return { name: nameOf(command[at] ?? ''), args: command.slice(at + 1) }
}

/** Into the last one, or into the folder that an option names: under the name that each has, where that is a folder. */
function copied(name: string, args: readonly string[]): Written[] {
  const { sources, targets } = copyOperands(name, args)
  const mayBeFolder =
    name !== 'rsync' &&
    sources.length > 0 &&
    sources.every((source) => isPlain(source) && !['', '.', '..'].includes(nameOf(source))) &&
    !args.some((arg) => otherTarget.test(arg))
  const inFolder = targets.flatMap((target) => sources.map((source) => `${target}/${nameOf(source)}`))
  return [...targets.map((word) => ({ word, mayBeFolder })), ...inFolder.map((word) => ({ word }))]
}

function copyOperands(name: string, args: readonly string[]): { sources: string[]; targets: string[] } {
  // To rsync the same letter means something else.
  const folders =
    name === 'rsync' ? [] : [...valuesOf(targetFolder, args), ...joinedTo(/^--target-directory=(.+)$/s, args)]
  const operands = operandsOf(name, args).filter((operand) => !folders.includes(operand))
  return folders.length > 0
    ? { sources: operands, targets: folders }
    : { sources: operands.slice(0, -1), targets: operands.slice(-1) }
}

/** The script of sed is its first operand, unless an option gives it. */
function withoutScript(args: readonly string[]): string[] {
  const operands = operandsOf('sed', args)
  const hasScriptOption = args.some((arg) => /^-[a-zA-Z]*[ef]|^--(?:expression|file)/.test(arg))
  return hasScriptOption ? operands : operands.slice(1)
}

function operandsOf(name: string, args: readonly string[]): string[] {
  const end = args.indexOf('--')
  return args.filter((arg, index) => {
    if (end !== -1 && index > end) return true
    return !arg.startsWith('-') && withValue[name]?.test(args[index - 1] ?? '') !== true
  })
}

function valuesOf(option: RegExp, args: readonly string[]): string[] {
  return args.flatMap((arg, index) => (option.test(arg) ? (args[index + 1] ?? []) : []))
}

function joinedTo(option: RegExp, args: readonly string[]): string[] {
  return args.flatMap((arg) => option.exec(arg)?.[1] ?? [])
}
