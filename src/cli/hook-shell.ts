/**
 * `contextd hook shell <session> <project> <shell> …`, as the client's shell starts it, and `contextd hook shell-rest`
 * for what goes on behind it. A bundle of its own: every command of the client begins with it.
 */

import type { OutputPart } from '../clients/claude-code/hooks/scrub-gate.ts'
import { askHook } from '../servers/hooks/ask-hook.ts'
import { runRest, runShell, type ScrubPart } from './shell-output.ts'

const [, script = '', , name, session = '', project = '', ...words] = process.argv

const scrub: ScrubPart = async (part, caller) => {
  const payload = JSON.stringify(payloadOf(part, caller))
  const request = { name: 'scrub-text', payload, env: {}, program: [] }
  try {
    return textOf(await askHook(request))
  } catch {
    const besides = './shell-here.js'
    const { scrubHere } = (await import(besides)) as typeof import('./shell-here.ts')
    return textOf(await scrubHere(request, part, project))
  }
}

function payloadOf({ before, text }: OutputPart, caller: string | undefined): Record<string, string> {
  return {
    hook_event_name: 'CommandOutput',
    session_id: session,
    cwd: project,
    text,
    before,
    // Where nobody was named there was nothing to keep from anyone when the command began.
    ...(caller !== undefined && { agent_type: caller }),
  }
}

function textOf(answer: unknown): string {
  const { text } = (answer as { output?: { text?: unknown } }).output ?? {}
  if (typeof text !== 'string') throw new Error('the answer has no text')
  return text
}

const rest = (caller: string): [string, ...string[]] => [
  process.execPath,
  script,
  'hook',
  'shell-rest',
  session,
  project,
  caller,
]
const run = name === 'shell' ? runShell(words, scrub, rest) : runRest(words[0] ?? '', scrub)
void run.then((status) => process.exit(status))
