/** The permission requests that OpenCode makes before a call, in order. Pure. */

import { dirname, join, relative, resolve } from 'node:path'

import { readShellLine } from '../../shell/shell-line.ts'
import { isFilledIn } from '../../shell/simple-command.ts'
import { isWithin } from '@contextd/shared/files/within'
import type { OpenCodeSetup } from '../setup.ts'
import { governedBy } from '../tools.ts'

export interface Request {
  /** Its name in rules. */
  readonly tool: string
  /** All of them must be allowed; undefined for a call without an argument. */
  readonly patterns?: readonly string[]
}

export interface OpenCodeCall {
  readonly tool: string
  readonly argument?: string
}

/** `bash(git status)`, `read(./.env)`, `server_tool`. */
export function splitOpenCodeCall(asked: string): OpenCodeCall {
  const [, tool = asked, argument = ''] = /^([^(]+)\(([^]*)\)$/.exec(asked) ?? []
  return argument === '' || argument === '*' ? { tool } : { tool, argument }
}

export function requestsOf({ tool, argument }: OpenCodeCall, setup: OpenCodeSetup): readonly Request[] {
  const name = governedBy.get(tool) ?? tool
  if (argument === undefined) return [{ tool: name }]
  if (name === 'bash') return ofCommand(argument, setup)
  if (name === 'read' || name === 'edit') return ofFile(name, argument, setup)
  if (name === 'external_directory') return [{ tool: name, patterns: [outside(argument, setup)] }]
  return [{ tool: name, patterns: [hasArguments.has(name) ? argument : '*'] }]
}

/** For all other tools the client does not check arguments. */
const hasArguments = new Set(['glob', 'grep', 'webfetch', 'websearch', 'task', 'skill', 'doom_loop'])

function ofFile(tool: string, written: string, setup: OpenCodeSetup): Request[] {
  const path = absolutePathOf(written, setup)
  const seen = relative(setup.repository ?? '/', path)
  // Paths in rules have slashes on every system.
  const own = { tool, patterns: [seen.replaceAll('\\', '/')] }
  if (isInside(path, setup)) return [own]
  const folder = tool === 'read' && setup.isFolder(path) ? path : dirname(path)
  return [{ tool: 'external_directory', patterns: [join(folder, '*')] }, own]
}

function ofCommand(line: string, setup: OpenCodeSetup): Request[] {
  const commands = readShellLine(line, setup.home)
    .commands.map(({ whole, words }) => ({ whole, words: withoutAssignments(words) }))
    .filter(({ words }) => words.length > 0)
  const folders = commands
    .filter(({ words: [name = ''] }) => touchesFiles.has(name))
    .flatMap(({ words: [name, ...rest] }) => rest.filter((word) => !isFlag(name, word)))
    .map((word) => beforeWildcard(word))
    // The client does not follow paths that the shell expands.
    .filter((word) => word !== '' && !/[$`]/.test(word) && !isFilledIn(word))
    .map((word) => resolve(setup.project, word))
    .filter((path) => !isInside(path, setup))
    .map((path) => join(setup.isFolder(path) ? path : dirname(path), '*'))
  const asked = commands.filter(({ words: [name = ''] }) => !changesFolder.has(name))
  return [
    ...(folders.length === 0 ? [] : [{ tool: 'external_directory', patterns: [...new Set(folders)] }]),
    ...(asked.length === 0 ? [] : [{ tool: 'bash', patterns: asked.map(({ whole }) => whole) }]),
  ]
}

/** `A=1` alone runs nothing, so the client does not ask about it. */
function withoutAssignments(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !/^\w+=/.test(word))
  return first === -1 ? [] : words.slice(first)
}

const changesFolder = new Set(['cd', 'chdir', 'popd', 'pushd'])
const touchesFiles = new Set([...changesFolder, 'rm', 'cp', 'mv', 'mkdir', 'touch', 'chmod', 'chown', 'cat'])

function isFlag(command: string | undefined, word: string): boolean {
  return word.startsWith('-') || (command === 'chmod' && word.startsWith('+'))
}

function beforeWildcard(word: string): string {
  const at = word.search(/[?*[]/)
  return at === -1 ? word : word.slice(0, at)
}

function outside(argument: string, setup: OpenCodeSetup): string {
  if (argument.includes('*')) return argument
  const path = absolutePathOf(argument, setup)
  return join(setup.isFolder(path) ? path : dirname(path), '*')
}

function absolutePathOf(path: string, { project, home }: OpenCodeSetup): string {
  return resolve(
    project,
    path.replace(/^~(?=\/|$)/, () => home),
  )
}

function isInside(path: string, { project, repository }: OpenCodeSetup): boolean {
  if (isWithin(project, path)) return true
  return repository !== undefined && repository !== '/' && isWithin(repository, path)
}
