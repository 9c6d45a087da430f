/**
 * `contextd hook <names…>`, which a client runs before and after every tool call: asks a running contextd and prints
 * its answer. A separate bundle that loads almost nothing; the rest of contextd is loaded only if none is running.
 */

import { isCodedError } from '@contextd/shared/errors/coded-error'
import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { askHook } from '../servers/hooks/ask-hook.ts'
import type { HookAnswer, HookRequest } from './hook-here.ts'
import { readStdin } from './support/read-input.ts'

/** Variables that hooks use. No others are passed on. */
const passed =
  /^(?:HOME|PWD|OLDPWD|TMPDIR|USER|SHELL|PATH|XDG_\w+|CONTEXTD_\w+|CLAUDE_(?!\w*_(?:TOKEN|KEY)$)\w+)$/
/** Variables that decide where the client sends its requests. */
const routing = /^(?:ANTHROPIC_(?:BASE_URL|UNIX_SOCKET)|(?:HTTPS?|ALL|NO)_PROXY)$/i

async function answer(name: string, payload: string, door: boolean): Promise<HookAnswer> {
  const env = Object.entries(process.env).filter(
    (one): one is [string, string] => passed.test(one[0]) || routing.test(one[0]),
  )
  const program = [process.execPath, process.argv[1] ?? '']
  const request: HookRequest = { name, payload, env: Object.fromEntries(env), program, door }
  try {
    return read(await askHook({ ...request }))
  } catch {
    // No contextd is running, or it is older than this hook. If the request is invalid, the same error recurs
    // below.
    const bundlePath = './hook-here.js'
    const { answerHere } = (await import(bundlePath)) as typeof import('./hook-here.ts')
    return answerHere(request)
  }
}

function read(answered: Json): HookAnswer {
  if (!isJsonObject(answered) || typeof answered.output !== 'object')
    throw new Error('the hook answer is invalid')
  return answered as unknown as HookAnswer
}

/** Hooks that only add information to a session, which continues if they fail. */
const informational: ReadonlySet<string> = new Set(['session-start', 'pre-compact'])

/**
 * Before a tool call, exit status 2 blocks it and shows the reason to the model. After one, only ending the turn
 * keeps the output from the model.
 */
function fail(error: unknown, name: string, payload: string): void {
  // Only our own messages: those of other errors may repeat the tool's input.
  const why = isCodedError(error) ? error.message : 'it failed'
  const message = `contextd hook: ${why}`
  const isInformational = informational.has(name)
  if (!isInformational && eventOf(payload) === 'PostToolUse') {
    process.stdout.write(JSON.stringify({ continue: false, stopReason: message }))
    return
  }
  process.stderr.write(`${message}\n`)
  // For the client, exit status 1 means: show the message to the user and continue.
  process.exitCode = isInformational ? 1 : 2
}

function eventOf(payload: string): unknown {
  try {
    return (JSON.parse(payload) as { hook_event_name?: unknown }).hook_event_name
  } catch {
    return undefined
  }
}

async function run(): Promise<void> {
  const words = process.argv.slice(3)
  const name = words.filter((word) => !word.startsWith('--')).join(' ')
  let payload = ''
  try {
    payload = (await readStdin()).toString()
    const { output } = await answer(name, payload, words.includes('--door'))
    if (output !== null) process.stdout.write(JSON.stringify(output))
  } catch (error) {
    fail(error, name, payload)
  }
}

void run()
