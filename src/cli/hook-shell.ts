/**
 * `contextd hook shell <session> <project> <shell> …`, started by the client's shell, and `contextd hook shell-rest`
 * for output of its background processes. A separate bundle, because it starts with every command of the client.
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
    const bundlePath = './shell-here.js'
    const { scrubHere } = (await import(bundlePath)) as typeof import('./shell-here.ts')
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
    // Without a named caller, no context was private when the command started.
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
