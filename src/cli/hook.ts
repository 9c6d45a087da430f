/**
 * `contextd hook <names…>` as a client runs it, before and after every use of a tool: asks a contextd that runs and prints
 * its answer. A bundle of its own that loads next to nothing; where none answers, the rest of contextd is loaded.
 */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { askHook } from '../servers/hooks/ask-hook.ts'
import type { HookAnswer, HookRequest } from './hook-here.ts'
import { readStdin } from './support/read-input.ts'

/** What hooks go by; the rest of the environment is nobody's business. */
const passed =
  /^(?:HOME|PWD|OLDPWD|TMPDIR|USER|SHELL|PATH|XDG_\w+|CONTEXTD_\w+|CLAUDE_(?!\w*_(?:TOKEN|KEY)$)\w+)$/
/** These decide where the client sends its requests. */
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
    // None runs, or one that is older than this hook. What is wrong with the request shows again below.
    const besides = './hook-here.js'
    const { answerHere } = (await import(besides)) as typeof import('./hook-here.ts')
    return answerHere(request)
  }
}

function read(answered: Json): HookAnswer {
  if (!isJsonObject(answered) || typeof answered.output !== 'object') throw new Error('this is no answer')
  return answered as unknown as HookAnswer
}

/** They tell a session something; where they fail, it goes on without. */
const tellers: ReadonlySet<string> = new Set(['session-start', 'pre-compact'])

/**
 * Before a tool runs, this exit status stops it and tells the model why. Afterwards nothing but the end of the turn keeps
 * the output from the model.
 */
function fail(error: unknown, name: string, payload: string): void {
  // Only words of our own: the message of anything else may repeat what the tool was given.
  const why = error instanceof Error && error.name === 'ContextdError' ? error.message : 'it failed'
  const message = `contextd hook: ${why}`
  const isTeller = tellers.has(name)
  if (!isTeller && eventOf(payload) === 'PostToolUse') {
    process.stdout.write(JSON.stringify({ continue: false, stopReason: message }))
    return
  }
  process.stderr.write(`${message}\n`)
  // To the client this status means: tell the person, and go on.
  process.exitCode = isTeller ? 1 : 2
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
