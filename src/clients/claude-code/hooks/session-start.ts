/**
 * Adds the last checkpoint and memories for the task to a new session. With the model door, starts the daemon, also
 * before each prompt, because it may have stopped in between.
 */

import { CodedError } from '../../../core/errors/errors.ts'
import { marked } from '../../../core/lines.ts'
import { describeBypass } from '../door-environment.ts'
import { bypassOf, isBehindDoor } from './guard-door.ts'
import {
  isMain,
  type Hook,
  type CheckpointOffer,
  type HookOutput,
  type HookPayload,
  type HookPorts,
} from './hook.ts'

/** Not a guard: the client continues if this fails. Without the model door's daemon, it cannot reach a model. */
export const sessionStart: Hook = async (payload, ports) => {
  // Subagents may not see everything that the main thread may.
  if (!isMain(payload)) return undefined
  switch (payload.hook_event_name) {
    case 'SessionStart': {
      // In parallel, so that the user waits for only one of them.
      const [notice, offer] = await Promise.all([doorNotice(ports), offered(payload, ports)])
      return notice === undefined ? offer : { ...offer, systemMessage: `contextd: ${notice}` }
    }
    case 'UserPromptSubmit': {
      const closed = (await isBehindDoor(ports)) ? await whyClosed(ports) : undefined
      // The client would only report a refused connection.
      if (closed !== undefined) return { decision: 'block', reason: `contextd: ${closed}` }
      return remembered(payload, ports)
    }
    default:
      return undefined
  }
}

async function offered({ source }: HookPayload, ports: HookPorts): Promise<HookOutput | undefined> {
  // A resumed session has its own history.
  if (source === 'resume') return undefined
  const isCompacted = source === 'compact'
  const offer = await (await ports.memory()).offer(isCompacted ? 'compacted' : 'started')
  return offer && context('SessionStart', offerText(offer, isCompacted))
}

function offerText({ id, saved, summary, about }: CheckpointOffer, isCompacted: boolean): string {
  const whose = isCompacted ? 'this conversation' : 'an earlier session in this project'
  return [
    `contextd has a checkpoint of ${whose}, ${id}, saved ${saved}. ${about}`,
    marked(summary, '> '),
    `If the user wants to continue from it, call checkpoint_restore with the id ${id} for the rest.`,
  ].join('\n')
}

/** The task is known from the first prompt of a session. */
async function remembered({ prompt }: HookPayload, ports: HookPorts): Promise<HookOutput | undefined> {
  if (typeof prompt !== 'string' || prompt.trim() === '') return undefined
  const notes = await (await ports.memory()).notesFor(prompt)
  return notes === undefined ? undefined : context('UserPromptSubmit', notes)
}

function context(hookEventName: string, additionalContext: string): HookOutput {
  return { hookSpecificOutput: { hookEventName, additionalContext } }
}

/** Starts the daemon if none is running. Returns the reason if that fails. */
async function whyClosed({ door }: HookPorts): Promise<string | undefined> {
  try {
    await door.startDaemon()
    return undefined
  } catch (error) {
    const why = error instanceof CodedError ? error.message : 'the daemon did not respond in time'
    return `the model cannot be reached, because the model door is closed: ${why}. Start it with \`ctxd start\`; \`ctxd doctor\` says what is wrong.`
  }
}

/** What the user should know about the model door. */
async function doorNotice(ports: HookPorts): Promise<string | undefined> {
  if (await isBehindDoor(ports)) return whyClosed(ports)
  if (ports.door.isExpected) {
    const bypass = await bypassOf(ports)
    return bypass && describeBypass(bypass)
  }
  const isPlugin = Boolean(ports.env.CLAUDE_PLUGIN_ROOT)
  if (!isPlugin || !ports.door.isFirst('door-hint')) return undefined
  const init = `node "${ports.env.CLAUDE_PLUGIN_ROOT}/server/bin/contextd.js" init --user --platform claude-code --door`
  return `hooks scrub tool output. To scrub every model request, turn on the model door: \`${init}\``
}
