/** What is found in a line while it is read, and the result. Pure. */

import { hindrancesInText, type Hindrances } from './hindrances.ts'
import type { ShellCommand } from './simple-command.ts'

export interface ShellLine extends Hindrances {
  /** Also those inside others, such as `$(…)`. */
  readonly commands: readonly ShellCommand[]
  /** Whether some of it runs in the background or in a subshell. */
  readonly isDetached: boolean
  /** Whether it is a list of commands without substitutions, conditions and groups. */
  readonly isPlain: boolean
  /** Whether it has hidden characters, which the client refuses to run. */
  readonly isRefused: boolean
}

/** Characters that a user would not see. */
const hidden = /[^\P{Cc}\t\n]/u

export interface LineState {
  readonly commands: ShellCommand[]
  readonly home: string
  /** Variables that the line sets before it uses them. */
  readonly variables: Map<string, string>
  obstacle?: string
  opaque?: string
  isDetached: boolean
  isPlain: boolean
  /** How many parentheses are open. */
  groups: number
  /** The position in a pipeline. */
  segment: number
  /** Whether there are conditions, loops and parentheses, and words that the shell expands; not inside other commands. */
  isCompound: boolean
  isFilledIn: boolean
  /** Variables that the line sets to a value that only the shell knows. */
  readonly unknown: Set<string>
}

export const newLineState = (text: string, home: string): LineState => ({
  commands: [],
  home,
  variables: new Map(),
  unknown: new Set(),
  isDetached: false,
  isPlain: true,
  groups: 0,
  segment: 0,
  isCompound: false,
  isFilledIn: false,
  ...hindrancesInText(text),
})

/** The client cannot check the line before it runs. The first reason is the one reported. */
export function stop(found: LineState, obstacle: string): void {
  found.obstacle ??= obstacle
}

/** Nor can it check it if all that matters is the sandbox. */
export function block(found: LineState, obstacle: string): void {
  stop(found, obstacle)
  found.opaque ??= obstacle
}

export function asLine(text: string, found: LineState): ShellLine {
  if (found.isCompound && found.isFilledIn) found.opaque ??= 'expansions together with conditions or loops'
  const { commands, obstacle, opaque, isDetached, isPlain } = found
  return {
    commands,
    ...(obstacle !== undefined && { obstacle }),
    ...(opaque !== undefined && { opaque }),
    isDetached,
    isPlain,
    isRefused: hidden.test(text),
  }
}
