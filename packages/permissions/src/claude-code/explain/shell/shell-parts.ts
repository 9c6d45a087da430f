/** The commands of a shell line with the files they use. Pure. */

import { startedBy } from './bash-rule.ts'
import type { Disk } from '../in-force/file-rules.ts'
import { absolutePath } from '../../rules/path-rule.ts'
import { commandPaths } from './read-only-commands.ts'
import type { RuleInForce } from '../in-force/rules-in-force.ts'
import type { ShellCommand, ShellLine } from '../../../shell/shell-line.ts'

export interface ShellSurroundings extends Disk {
  /** The project and added folders, each with all of its names. */
  readonly folders: readonly string[]
  readonly acceptsEdits: boolean
  /** Patterns of commands excluded from the sandbox; absent unless sandboxed commands run without asking. */
  readonly excluded?: readonly string[]
}

export interface Part {
  readonly command: ShellCommand
  readonly read: readonly string[]
  readonly written: readonly string[]
  /** Targets of output redirections. */
  readonly outputs: readonly string[]
  /** Why the client cannot resolve a path. */
  readonly unclear?: string
}

/** A rule and the part of the command that it matches. */
export interface RuleOnPart {
  readonly rule: RuleInForce
  readonly part: string
}

/** Resolves relative paths after a `cd` against the new folder. */
export function partsOf({ commands, isDetached }: ShellLine, place: ShellSurroundings): Part[] {
  let folder = place.project
  return commands.map((command) => {
    const words = startedBy(command.words)
    const resolve = (relative: readonly string[]): string[] =>
      relative.map((path) => absolutePath(path, place, folder))
    const changesFolder = /^(?:cd|pushd)$/.test(words[0] ?? '')
    // The client does not follow a `cd` in a subshell.
    const { read, written } = changesFolder && isDetached ? { read: [], written: [] } : commandPaths(words)
    const paths = [...read, ...written, ...command.readsFrom, ...command.writesTo]
    const unclear = unclearIn(paths, [...written, ...command.writesTo])
    const part = {
      command,
      ...(unclear !== undefined && { unclear }),
      read: resolve([...read, ...command.readsFrom]),
      written: resolve(written),
      outputs: resolve(command.writesTo.filter((path) => !/^\/dev\/(?:null|stdout|stderr|tty)$/.test(path))),
    }
    if (changesFolder && !isDetached) folder = absolutePath(words[1] ?? '~', place, folder)
    return part
  })
}

const goesUpAgain = /(?:^|\/)(?!\.{1,2}\/)[^/]+\/\.\.(?:\/|$)/
/** Also matches quoted text, which the shell would not expand. Braces and wildcards matter in written paths only. */
const mayExpand = /^[~=]|[$`]/
const mayExpandToSeveral = /[*?[]|^[^{]*\}|\{(?!(?=[^{}]*(?:,|\.\.))[^{}]*\})/

function unclearIn(paths: readonly string[], written: readonly string[]): string | undefined {
  const returning = paths.find((path) => goesUpAgain.test(path))
  if (returning !== undefined) return `${returning} goes up from a folder that may be a link`
  const expanding =
    paths.find((path) => mayExpand.test(path)) ?? written.find((path) => mayExpandToSeveral.test(path))
  return expanding && `only the shell knows what ${expanding} expands to`
}
