/** Hooks whose script is not there, or cannot be run. */

import type { FindingDetails, LintRule } from '../../../findings/finding.ts'
import type { ClaudeSetup, HookEntry } from '../../setup/setup.ts'
import { foundAt } from '../places/found-in.ts'
import { fileText } from '../places/place-text.ts'
import { isGuard } from './in-force.ts'
import { hookScript, type HookScript } from './script.ts'

export const missingScriptRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'hook-script-missing',
    severity: 'warning',
    title: 'A hook whose script is missing or cannot be run',
    why: 'A script that is not there, that nobody may execute (mode without `x`), or whose first line ends in a carriage return as on Windows does not run, and a guard that does not run lets every call pass: the client goes on silently to the model. That is an error. With `"onFailure": "block"` it is the other way round: every call that the hook is asked about is stopped. (So it is where `python` misses the file: it ends with 2, which means no.)\n\nThe client runs hooks in the folder it is started in; write `"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh` for a script of the project. Only commands that name their script plainly are looked at, and on a machine where Claude Code was never started only scripts of the project and of plugins.',
    check: (setup) => setup.hooks.flatMap((entry) => missingScript(entry, setup)),
  },
]

function missingScript(entry: HookEntry, setup: ClaudeSetup): FindingDetails[] {
  const script = hookScript(setup, entry)
  const problem = script && problemOf(script, setup)
  if (script === undefined || problem === undefined) return []
  const { interpreter = '' } = script
  const isStopping = entry.hook.onFailure === 'block' || interpreter.startsWith('python')
  const isOpen = isGuard(entry) && !isStopping
  const follows = isOpen
    ? 'every call passes as if the hook had agreed'
    : isGuard(entry)
      ? 'every call that the hook is asked about is stopped'
      : 'the hook does nothing'
  return [
    foundAt(entry, {
      message: `${problem.message}: ${follows}.`,
      fix: entry.plugin !== undefined ? `Ask the makers of the plugin \`${entry.plugin}\`.` : problem.fix,
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
    return { message: `There is no file ${name}`, fix: 'Put the script there, or correct the path.' }
  if (state === 'folder')
    return { message: `${name} is a folder and no script`, fix: 'Name the script in it.' }
  if (interpreter !== undefined) return undefined
  if (state === 'plain')
    return { message: `Nobody may execute ${name}`, fix: 'Make it executable with `chmod +x`.' }
  if (/^#![^\n]*\r\n/.test(setup.textOf(path)))
    return {
      message: `The first line of ${name} ends in a carriage return, and no program has such a name`,
      fix: 'Save it with line endings of Unix.',
    }
  return undefined
}
