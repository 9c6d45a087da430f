/** In friendly mode, the client keeps its own tools, and their output is scrubbed before it reaches the model. */

import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { FindingCount } from '../../../core/trail.ts'
import { blockBuiltin } from './block-builtin.ts'
import { isBehindDoor } from './guard-door.ts'
import { hookCaller, deny, type Hook, type HookOutput, type HookPayload, type HookPorts } from './hook.ts'
import { mapTexts, withheld } from './scrub-output.ts'
import { adviseRead, maxUncountedChars } from './scrub-read.ts'
import { claimsCaller, isShellWrapped, wrapShell, withCaller } from './scrub-shell.ts'

export const scrub: Hook = async (payload, ports) => {
  // The door scrubs every request. The plugin's list of hooks is fixed, so it runs this hook anyway.
  if (await isBehindDoor(ports)) return undefined
  switch (payload.hook_event_name) {
    case 'SessionStart':
      wrapShell(payload, ports)
      return undefined
    case 'PreToolUse':
      return before(payload, ports)
    case 'PostToolUse':
      return after(payload, ports)
    default:
      return undefined
  }
}

async function before(payload: HookPayload, ports: HookPorts): Promise<HookOutput | undefined> {
  const { tool_name = '', tool_input: input = {} } = payload
  const command = runsCommand(tool_name) && typeof input.command === 'string' ? input.command : undefined
  if (command !== undefined) {
    // If two hooks refuse a call, the model may read either reason.
    if (ports.mode === 'strict') return blockBuiltin(payload, ports)
    if (!isShellWrapped(payload, ports)) return deny(notWrapped)
    if (claimsCaller(command))
      return deny('Remove the comment "# contextd caller": it is reserved for contextd.')
  }
  // What it receives over a socket reaches the model without passing a hook.
  if (tool_name === 'Monitor' && command === undefined)
    return deny('Monitor a command: only command output is scrubbed.')
  const session = await ports.session()
  const caller = hookCaller(payload)
  if (session.holders().some(({ agent }) => agent !== caller)) {
    let masked = 0
    const changed = (await mapTexts(input, async (text) => {
      const { value: open, found } = await session.mask(text)
      masked += countOf(found)
      return open
    })) as JsonObject
    if (masked > 0) {
      session.event('private-context-masked', { tool: tool_name, agent: caller, where: 'arguments', masked })
      // A command with a part removed is a different command.
      return command === undefined
        ? withInput(changed, `contextd masked another agent's private context in ${tool_name} as [PRIVATE].`)
        : deny("This command contains another agent's private context. Remove it.")
    }
  }
  if (command !== undefined && session.holders().length > 0) {
    return withInput({ ...input, command: withCaller(command, caller) })
  }
  if (tool_name !== 'Read') return undefined
  const place = { cwd: payload.cwd, maxChars: maxUncountedChars(ports.env) }
  const hasSecrets = async (text: string): Promise<boolean> => (await session.clean(text)).found.length > 0
  const advice = await adviseRead(input, place, hasSecrets)
  if (advice.kind === 'as-it-is') return undefined
  if (advice.kind === 'not-at-all') {
    return deny(`This file ${advice.why}. Read it with the tool safe_read of contextd.`)
  }
  const note = `contextd shows this file in parts because it contains secrets. The next part starts at offset ${advice.next}.`
  return withInput({ ...input, limit: advice.limit }, note)
}

/** Tools that pass a command to the client's shell. */
function runsCommand(tool: string): boolean {
  return tool === 'Bash' || tool === 'Monitor'
}

const notWrapped =
  'contextd does not wrap the shell of this session, so command output could not be scrubbed. ' +
  "Tell the user to restart the client: contextd's hooks must be installed when a session starts."

function withInput(updatedInput: JsonObject, additionalContext?: string): HookOutput {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      updatedInput,
      ...(additionalContext !== undefined && { additionalContext }),
    },
  }
}

/** If a hook takes longer than its timeout, the client passes on the original. */
const maxScrubMs = 20_000

async function after(payload: HookPayload, ports: HookPorts): Promise<HookOutput | undefined> {
  const { tool_name = '', tool_response: answer } = payload
  if (answer === undefined || answer === null) return undefined
  try {
    const session = await ports.session()
    const end = Date.now() + maxScrubMs
    const all: FindingCount[] = []
    const clean = await mapTexts(answer, async (text, key) => {
      if (Date.now() > end) throw new Error('the answer could not be checked in time')
      const { value: open, found } = await session.clean(text, { keepLines: key === 'content' })
      all.push(...found)
      return open
    })
    if (clean === answer) return undefined
    const rules = [...new Set(all.map(({ rule }) => rule))].sort()
    session.event('tool-output-scrubbed', {
      tool: tool_name,
      agent: hookCaller(payload),
      found: countOf(all),
      rules,
    })
    return withOutput(clean)
  } catch {
    // If this hook failed, the original would pass. Some tools may not accept replaced output, so the turn ends too.
    return {
      continue: false,
      stopReason: `contextd could not check the output of ${tool_name}, and withheld it.`,
      ...withOutput(await withheld(answer)),
    }
  }
}

function countOf(found: readonly FindingCount[]): number {
  return found.reduce((sum, { count }) => sum + count, 0)
}

function withOutput(updatedToolOutput: Json): JsonObject {
  return { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput } }
}
