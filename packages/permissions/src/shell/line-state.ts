/** What is found in a line while it is read, and what is said of it in the end. Pure. */

import { hindrancesInText, type Hindrances } from './hindrances.ts'
import type { ShellCommand } from './simple-command.ts'

export interface ShellLine extends Hindrances {
  /** Also those inside others, such as `$(…)`. */
  readonly commands: readonly ShellCommand[]
  /** Whether some of it runs in the background or in a shell of its own. */
  readonly isDetached: boolean
  /** Whether it is commands one after the other, none inside another and none on a condition. */
  readonly isPlain: boolean
  /** Whether it holds what the client takes for no command at all. */
  readonly isRefused: boolean
}

/** Characters that a user would not see; the client runs no command that has one. */
const hidden = /[^\P{Cc}\t\n]/u

export interface LineState {
  readonly commands: ShellCommand[]
  readonly home: string
  /** What the line itself sets before it uses it. */
  readonly variables: Map<string, string>
  obstacle?: string
  opaque?: string
  isDetached: boolean
  isPlain: boolean
  /** How many parentheses are open. */
  groups: number
  /** Which of the commands with a pipe between them it is. */
  segment: number
  /** Whether there are conditions, loops and parentheses, and words that the shell fills in; inside others none counts. */
  isCompound: boolean
  isFilledIn: boolean
  /** Variables that the line itself sets to what only the shell knows. */
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

/** The client cannot check it before it runs. The first reason is the one that is named. */
export function stop(found: LineState, obstacle: string): void {
  found.obstacle ??= obstacle
}

/** Nor can it check it where all that matters is the sandbox. */
export function block(found: LineState, obstacle: string): void {
  stop(found, obstacle)
  found.opaque ??= obstacle
}

export function asLine(text: string, found: LineState): ShellLine {
  if (found.isCompound && found.isFilledIn)
    found.opaque ??= 'what the shell fills in beside conditions and loops'
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
