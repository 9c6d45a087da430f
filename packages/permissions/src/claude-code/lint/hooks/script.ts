/** The script that a hook runs, if its path can be read from the command. */

import { basename } from 'node:path'

import { readShellLine } from '../../../shell/shell-line.ts'
import type { ClaudeSetup, HookEntry } from '../../setup/setup.ts'
import { isInProjectOrPlugin, pathOfWord, substituteVariables } from './named-files.ts'

export interface HookScript {
  readonly path: string
  /** Such as `bash`; undefined if the script is run directly. */
  readonly interpreter?: string
}

/** These read the file in their first argument; it need not be executable. */
const interpreters = /^(?:ba|z|da)?sh$|^node$|^python[\d.]*$|^ruby$|^perl$|^php$/

/** Undefined if the hook runs no script, or if its path is known only at runtime. */
export function hookScript(setup: ClaudeSetup, entry: HookEntry): HookScript | undefined {
  const [program, first] = wordsOf(setup, entry)
  // A variable assignment before the program.
  if (program === undefined || program.includes('=')) return undefined
  if (!interpreters.test(basename(program)))
    return program.includes('/') ? scriptAt(setup, program) : undefined
  // A flag, or a module that the interpreter searches elsewhere.
  if (first === undefined || first.startsWith('-') || !/[/.]/.test(first)) return undefined
  const script = scriptAt(setup, first)
  return script && { ...script, interpreter: basename(program) }
}

function wordsOf(setup: ClaudeSetup, entry: HookEntry): readonly string[] {
  const { command, args } = entry.hook
  if (typeof command !== 'string') return []
  const substitute = (text: string): string => substituteVariables(text, setup, entry)
  const words = Array.isArray(args)
    ? [command, ...args.filter((word) => typeof word === 'string')].map(substitute)
    : shellWords(substitute(command), setup.home)
  return words.some((word) => word.includes('$')) ? [] : words
}

/** Only if the line is a single command: others may check that the file exists. */
function shellWords(line: string, home: string): readonly string[] {
  const { commands, obstacle } = readShellLine(line, home)
  const [command, ...more] = commands
  if (command === undefined || more.length > 0 || obstacle !== undefined || command.patterns.length > 0)
    return []
  return command.words.map((word) => word.replace(/^~(?=\/)/, () => home))
}

function scriptAt(setup: ClaudeSetup, word: string): HookScript | undefined {
  const path = pathOfWord(word, setup)
  return isInProjectOrPlugin(path, setup) || setup.isUsed ? { path } : undefined
}
