/** The commands of a line with the files that they use. Pure. */

import { startedBy } from './bash-rule.ts'
import type { Disk } from '../in-force/file-rules.ts'
import { absolutePath } from '../../rules/path-rule.ts'
import { commandPaths } from './read-only-commands.ts'
import type { RuleInForce } from '../in-force/rules-in-force.ts'
import type { ShellCommand, ShellLine } from '../../../shell/shell-line.ts'

export interface ShellSurroundings extends Disk {
  /** The project and what was added to it, by all of their names. */
  readonly folders: readonly string[]
  readonly acceptsEdits: boolean
  /** Where commands run in a sandbox without asking: patterns of those that run outside of it. */
  readonly excluded?: readonly string[]
}

export interface Part {
  readonly command: ShellCommand
  readonly read: readonly string[]
  readonly written: readonly string[]
  /** Files that output goes to. */
  readonly outputs: readonly string[]
  /** What keeps the client from telling where a path leads. */
  readonly unclear?: string
}

/** A rule and the part of the command that it is about. */
export interface RuleOnPart {
  readonly rule: RuleInForce
  readonly part: string
}

/** Folders that the command goes to count for what follows. */
export function partsOf({ commands, isDetached }: ShellLine, place: ShellSurroundings): Part[] {
  let folder = place.project
  return commands.map((command) => {
    const words = startedBy(command.words)
    const at = (paths: readonly string[]): string[] => paths.map((path) => absolutePath(path, place, folder))
    const goes = /^(?:cd|pushd)$/.test(words[0] ?? '')
    // In a shell of its own the client does not follow.
    const { read, written } = goes && isDetached ? { read: [], written: [] } : commandPaths(words)
    const given = [...read, ...written, ...command.readsFrom, ...command.writesTo]
    const unclear = unclearIn(given, [...written, ...command.writesTo])
    const part = {
      command,
      ...(unclear !== undefined && { unclear }),
      read: at([...read, ...command.readsFrom]),
      written: at(written),
      outputs: at(command.writesTo.filter((path) => !/^\/dev\/(?:null|stdout|stderr|tty)$/.test(path))),
    }
    if (goes && !isDetached) folder = absolutePath(words[1] ?? '~', place, folder)
    return part
  })
}

const goesBack = /(?:^|\/)(?!\.{1,2}\/)[^/]+\/\.\.(?:\/|$)/
/** Also where quotes keep the shell from filling it in; braces and wildcards count in what is written. */
const mayBeFilledIn = /^[~=]|[$`]/
const mayBeSeveral = /[*?[]|^[^{]*\}|\{(?!(?=[^{}]*(?:,|\.\.))[^{}]*\})/

function unclearIn(given: readonly string[], written: readonly string[]): string | undefined {
  const returning = given.find((path) => goesBack.test(path))
  if (returning !== undefined) return `${returning} goes up again behind a folder, which may be a link`
  const filled =
    given.find((path) => mayBeFilledIn.test(path)) ?? written.find((path) => mayBeSeveral.test(path))
  return filled && `only the shell knows what ${filled} stands for`
}
