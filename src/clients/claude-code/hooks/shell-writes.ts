/** The paths that a shell command obviously writes to, as far as its text tells. Pure. */

import { beforeProgram, nameOf } from './operator-commands.ts'
import { absolutePattern, type PathPattern } from './path-pattern.ts'
import { readLine, type ShellPlace } from './shell-guard.ts'
import type { SimpleCommand } from './shell-words.ts'

export function shellWrites(text: string, place: ShellPlace): PathPattern[] {
  const line = readLine(text, place)
  // Whoever asks refuses such a line anyway.
  if (line === undefined) return []
  const { commands, targets } = line.running
  const words = new Set([...targets, ...commands.flatMap(writtenBy)])
  return [...words].flatMap((word) => [...line.bases].map((base) => absolutePattern(line.tilde(word), base)))
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

function writtenBy(command: SimpleCommand): string[] {
  const at = command.findIndex((word) => !beforeProgram.test(word))
  const name = nameOf(command[at] ?? '')
  const args = command.slice(at + 1)
  switch (name) {
    case 'tee':
    case 'touch':
    case 'truncate':
      return operandsOf(name, args)
    case 'sed':
      return args.some((arg) => editsInPlace.test(arg)) ? withoutScript(args) : []
    case 'perl':
      return args.some((arg) => editsInPlace.test(arg)) ? operandsOf(name, args) : []
    case 'cp':
    case 'mv':
    case 'ln':
    case 'install':
    case 'rsync':
      return copied(name, args)
    case 'dd':
      return args.flatMap((arg) => /^of=(.+)$/s.exec(arg)?.[1] ?? [])
    case 'curl':
    case 'wget':
      return [...valuesOf(outputFile, args), ...joinedTo(/^--output(?:-document)?=(.+)$/s, args)]
    default:
      return []
  }
}

/** Into the last one, or into the folder that an option names: under the name that each has, where that is a folder. */
function copied(name: string, args: readonly string[]): string[] {
  // To rsync the same letter means something else.
  const folders =
    name === 'rsync' ? [] : [...valuesOf(targetFolder, args), ...joinedTo(/^--target-directory=(.+)$/s, args)]
  const operands = operandsOf(name, args).filter((operand) => !folders.includes(operand))
  const sources = folders.length > 0 ? operands : operands.slice(0, -1)
  const targets = folders.length > 0 ? folders : operands.slice(-1)
  const inFolder = targets.flatMap((target) => sources.map((source) => `${target}/${nameOf(source)}`))
  return [...targets, ...inFolder]
}

/** What sed does stands in its first operand, unless an option says it. */
function withoutScript(args: readonly string[]): string[] {
  const operands = operandsOf('sed', args)
  const isTold = args.some((arg) => /^-[a-zA-Z]*[ef]|^--(?:expression|file)/.test(arg))
  return isTold ? operands : operands.slice(1)
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
