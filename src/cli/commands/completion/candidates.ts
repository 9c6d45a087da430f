/** Completions for the end of a line, found by walking the commands as the parser would. Pure except for the names. */

import { Option, type Argument, type Command } from 'commander'

import type { NameCandidate, FindNames, NameKind } from '../../support/known-names.ts'

export interface Completion {
  readonly candidates: readonly NameCandidate[]
  /** Whether the shell should complete file names. */
  readonly files: boolean
}

/** The last word is the one being typed. */
export async function completeWords(
  program: Command,
  words: readonly string[],
  findNames: FindNames,
): Promise<Completion> {
  const place = walk(program, words.slice(0, -1))
  const typed = words.at(-1) ?? ''
  const { command, option, isLiteral } = place
  if (option !== undefined) return valuesOf(option, command, typed, findNames)
  const glued = isLiteral ? null : /^(--[^=]+)=(.*)$/s.exec(typed)
  if (glued !== null) {
    const [, flag = '', start = ''] = glued
    const meant = optionNamed(command, flag)
    if (meant === undefined) return nothing
    const { candidates } = await valuesOf(meant, command, start, findNames)
    return { candidates: candidates.map(({ value }) => ({ value: `${flag}=${value}` })), files: false }
  }
  if (typed.startsWith('-') && !isLiteral) return starting(flagsOf(place), typed)
  if (command.commands.length > 0 && place.position === 0) return starting(subcommandsOf(command), typed)
  return valuesOf(argumentAt(command, place.position), command, typed, findNames)
}

const nothing: Completion = { candidates: [], files: false }

interface Place {
  readonly command: Command
  /** Arguments before the word being typed. */
  readonly position: number
  /** Set if the word being typed is its value. */
  readonly option?: Option
  /** After `--`. */
  readonly isLiteral: boolean
  readonly given: ReadonlySet<Option>
}

function walk(program: Command, words: readonly string[]): Place {
  let command = program
  let position = 0
  let option: Option | undefined
  let isLiteral = false
  const given = new Set<Option>()
  for (const word of words) {
    if (option !== undefined) option = undefined
    else if (word === '--' && !isLiteral) isLiteral = true
    else if (word.startsWith('-') && word !== '-' && !isLiteral) {
      const meant = optionNamed(command, word.replace(/=.*$/s, ''))
      if (meant !== undefined) given.add(meant)
      if (meant?.required === true && !word.includes('=')) option = meant
    } else {
      const inside = position === 0 ? childNamed(command, word) : undefined
      if (inside === undefined) position += 1
      else command = inside
    }
  }
  return { command, position, isLiteral, given, ...(option !== undefined && { option }) }
}

/** `help rules` is about `rules`. */
function childNamed(command: Command, name: string): Command | undefined {
  if (name === 'help' && command.commands.length > 0) return command
  return command.commands.find((child) => child.name() === name || child.aliases().includes(name))
}

function optionNamed({ options }: Command, flag: string): Option | undefined {
  return options.find(({ long, short }) => long === flag || short === flag)
}

function flagsOf({ command, given }: Place): NameCandidate[] {
  const open = command.options.filter(
    (option) => !option.hidden && (!given.has(option) || isRepeatable(option)),
  )
  const flags = open.map(({ long, short, description }) => ({ value: long ?? short ?? '', description }))
  return [...flags, { value: '--help', description: 'display help for command' }]
}

/** A repeatable option has a list as its default. */
function isRepeatable({ variadic, defaultValue }: Option): boolean {
  return variadic || Array.isArray(defaultValue)
}

function subcommandsOf(command: Command): NameCandidate[] {
  const visible = command.createHelp().visibleCommands(command)
  return visible.map((child) => ({ value: child.name(), description: child.description() }))
}

function argumentAt(command: Command, position: number): Argument | undefined {
  const { registeredArguments: all } = command
  const last = all.at(-1)
  return all[position] ?? (last?.variadic === true ? last : undefined)
}

async function valuesOf(
  what: Option | Argument | undefined,
  command: Command,
  typed: string,
  findNames: FindNames,
): Promise<Completion> {
  if (what === undefined) return nothing
  if (what.argChoices !== undefined) {
    return starting(
      what.argChoices.map((value) => ({ value })),
      typed,
    )
  }
  const meaning = what instanceof Option ? optionMeaning(what, command) : argumentMeaning(what, command)
  if (meaning === undefined) return nothing
  return meaning === 'files' ? { candidates: [], files: true } : starting(await findNames(meaning), typed)
}

function starting(candidates: readonly NameCandidate[], typed: string): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(typed)), files: false }
}

const optionKinds: Readonly<Record<string, NameKind>> = {
  '--agent': 'agents',
  '--server': 'servers',
  '--tool': 'tools',
  'permissions explain --agent': 'client-agents',
  'permissions lint --ignore': 'permission-rules',
}
const fileValue = /<(?:file|folder|path|dir|DIR)(?:\.\.\.)?>/

function optionMeaning({ long, flags }: Option, command: Command): NameKind | 'files' | undefined {
  const kind = optionKinds[`${pathOf(command)} ${long}`] ?? optionKinds[long ?? '']
  return kind ?? (fileValue.test(flags) ? 'files' : undefined)
}

/** By command and argument, as spelled in the help. */
const argumentKinds: Readonly<Record<string, NameKind>> = {
  'config get key': 'config-keys',
  'config set key': 'config-keys',
  'permissions rules id': 'permission-rules',
  'upstream remove name': 'servers',
  'upstream test name': 'servers',
  'upstream tools name': 'servers',
  'upstream approve name': 'servers',
  'upstream login name': 'servers',
  'upstream logout name': 'servers',
  'tool show name': 'own-tools',
  'tool approve name': 'own-tools',
  'tool remove name': 'own-tools',
  'tool update name': 'own-tools',
  'tool run name': 'own-tools',
  'memory get id': 'memories',
  'memory edit id': 'memories',
  'memory delete id': 'memories',
  'memory merge into': 'memories',
  'memory merge id': 'memories',
  'checkpoint show id': 'checkpoints',
  'checkpoint restore id': 'checkpoints',
  'branch show id': 'branches',
}
const fileArguments: ReadonlySet<string> = new Set(['file', 'path', 'folder', 'source'])

function argumentMeaning(argument: Argument, command: Command): NameKind | 'files' | undefined {
  const name = argument.name()
  const kind = argumentKinds[`${pathOf(command)} ${name}`]
  return kind ?? (fileArguments.has(name) ? 'files' : undefined)
}

function pathOf(command: Command): string {
  return `${command.parent?.name() ?? ''} ${command.name()}`
}
