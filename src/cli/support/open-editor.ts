/** Opens the user's editor and waits for it. */

import { runOnTerminal } from '@contextd/shared/process'
import type { CliIo } from '@contextd/shared/cli/output'
import { ContextdError } from '../../core/errors/errors.ts'

/** Like git: EDITOR may contain options. */
export async function openInEditor(path: string, { env, cwd }: CliIo): Promise<void> {
  const chosen = env.VISUAL || env.EDITOR
  if (!chosen && !process.stdin.isTTY) {
    throw new ContextdError('USAGE', {
      problem: 'an editor needs a terminal',
      hint: "Run it in a terminal, set EDITOR, or use the command's options.",
    })
  }
  const editor = chosen || 'vi'
  const status = await runOnTerminal('sh', ['-c', `${editor} "$1"`, 'sh', path], { env, cwd })
  if (status === 0) return
  throw new ContextdError('USAGE', {
    problem: `the editor exited with ${status}, so nothing was changed`,
    hint: "Set EDITOR to an installed editor, or use the command's options.",
  })
}
