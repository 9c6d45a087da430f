/** Hooks whose script is missing or cannot be run. */

import type { FindingDetails, LintRule } from '../../../findings/finding.ts'
import type { ClaudeSetup, HookEntry } from '../../setup/setup.ts'
import { findingAt } from '../places/finding-at.ts'
import { fileText } from '../places/place-text.ts'
import { isGuard } from './in-force.ts'
import { hookScript, type HookScript } from './script.ts'

export const missingScriptRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'hook-script-missing',
    severity: 'warning',
    title: 'A hook whose script is missing or cannot be run',
    why: 'A script that is missing, not executable, or whose first line ends with a carriage return (Windows line endings) does not run, and a guard that does not run lets every call through, without notifying the model. That is an error. With `"onFailure": "block"` it is the opposite: every call that the hook guards is blocked. (The same applies if `python` cannot find the file: it exits with 2, which means deny.)\n\nThe client runs hooks in the folder it is started in; write `"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh` for a script of the project. Only commands with a literal script path are checked, and on a machine where Claude Code was never started only scripts of the project and of plugins.',
    check: (setup) => setup.hooks.flatMap((entry) => missingScript(entry, setup)),
  },
]

function missingScript(entry: HookEntry, setup: ClaudeSetup): FindingDetails[] {
  const script = hookScript(setup, entry)
  const problem = script && problemOf(script, setup)
  if (script === undefined || problem === undefined) return []
  const { interpreter = '' } = script
  const isBlocking = entry.hook.onFailure === 'block' || interpreter.startsWith('python')
  const isOpen = isGuard(entry) && !isBlocking
  const consequence = isOpen
    ? 'every call continues as if the hook had agreed'
    : isGuard(entry)
      ? 'every call that this hook guards is blocked'
      : 'the hook does nothing'
  return [
    findingAt(entry, {
      message: `${problem.message}: ${consequence}.`,
      fix: entry.plugin !== undefined ? `Ask the authors of the plugin \`${entry.plugin}\`.` : problem.fix,
      ...(isOpen && { severity: 'error' }),
    }),
  ]
}

interface Problem {
  readonly message: string
  readonly fix: string
}

function problemOf({ path, interpreter }: HookScript, setup: ClaudeSetup): Problem | undefined {
  const state = setup.scriptStateAt(path)
  const name = `\`${fileText(path, setup)}\``
  if (state === 'nothing')
    return { message: `The file ${name} does not exist`, fix: 'Create the script, or correct the path.' }
  if (state === 'folder')
    return { message: `${name} is a folder, not a script`, fix: 'Write the path of the script in it.' }
  if (interpreter !== undefined) return undefined
  if (state === 'plain')
    return { message: `${name} is not executable`, fix: 'Make it executable with `chmod +x`.' }
  if (/^#![^\n]*\r\n/.test(setup.textOf(path)))
    return {
      message: `The first line of ${name} ends with a carriage return, which becomes part of the interpreter's name`,
      fix: 'Save it with Unix line endings.',
    }
  return undefined
}
