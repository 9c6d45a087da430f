/** The file that a hook runs, where its command says so plainly. */

import { basename } from 'node:path'

import { readShellLine } from '../../../shell/shell-line.ts'
import type { ClaudeSetup, HookEntry } from '../../setup/setup.ts'
import { isBrought, pathOfWord, withVariables } from './named-files.ts'

export interface HookScript {
  readonly path: string
  /** What reads it, such as `bash`; undefined where it is run itself. */
  readonly interpreter?: string
}

/** These read the file that comes as their first word; it need not be executable. */
const interpreters = /^(?:ba|z|da)?sh$|^node$|^python[\d.]*$|^ruby$|^perl$|^php$/

/** Undefined where it is no file, or where only a run could tell which one. */
export function hookScript(setup: ClaudeSetup, entry: HookEntry): HookScript | undefined {
  const [program, first] = wordsOf(setup, entry)
  // A value for a variable in front of the program is none.
  if (program === undefined || program.includes('=')) return undefined
  if (!interpreters.test(basename(program)))
    return program.includes('/') ? scriptAt(setup, program) : undefined
  // A switch, or a module that the interpreter looks for elsewhere.
  if (first === undefined || first.startsWith('-') || !/[/.]/.test(first)) return undefined
  const script = scriptAt(setup, first)
  return script && { ...script, interpreter: basename(program) }
}

function wordsOf(setup: ClaudeSetup, entry: HookEntry): readonly string[] {
  const { command, args } = entry.hook
  if (typeof command !== 'string') return []
  const fill = (text: string): string => withVariables(text, setup, entry)
  const words = Array.isArray(args)
    ? [command, ...args.filter((word) => typeof word === 'string')].map(fill)
    : shellWords(fill(command), setup.home)
  return words.some((word) => word.includes('$')) ? [] : words
}

/** Only of a line that is one command: in others it may be seen to that the file is there. */
function shellWords(line: string, home: string): readonly string[] {
  const { commands, obstacle } = readShellLine(line, home)
  const [only, ...more] = commands
  if (only === undefined || more.length > 0 || obstacle !== undefined || only.patterns.length > 0) return []
  return only.words.map((word) => word.replace(/^~(?=\/)/, () => home))
}

function scriptAt(setup: ClaudeSetup, word: string): HookScript | undefined {
  const path = pathOfWord(word, setup)
  return isBrought(path, setup) || setup.isUsed ? { path } : undefined
}
