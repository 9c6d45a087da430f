/**
 * What a session is told when it begins: where an earlier one stopped, and what was learned about tasks like its own. Behind
 * the model door the daemon has to run by then, and before each prompt: it may have ended in between.
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

/** No guard: whatever fails here, the client goes on without it. Behind the model door it then reaches no model. */
export const sessionStart: Hook = async (payload, ports) => {
  // What the main thread may read is not for whoever it starts.
  if (!isMain(payload)) return undefined
  switch (payload.hook_event_name) {
    case 'SessionStart': {
      // One after the other would make the user wait for both.
      const [notice, offer] = await Promise.all([doorNotice(ports), offered(payload, ports)])
      return notice === undefined ? offer : { ...offer, systemMessage: `contextd: ${notice}` }
    }
    case 'UserPromptSubmit': {
      const closed = (await isBehindDoor(ports)) ? await whyClosed(ports) : undefined
      // The client would report a refused connection, and nothing that helps.
      if (closed !== undefined) return { decision: 'block', reason: `contextd: ${closed}` }
      return remembered(payload, ports)
    }
    default:
      return undefined
  }
}

async function offered({ source }: HookPayload, ports: HookPorts): Promise<HookOutput | undefined> {
  // A session that is resumed has its own history.
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

/** The task is known with the first prompt of a session, and not before. */
async function remembered({ prompt }: HookPayload, ports: HookPorts): Promise<HookOutput | undefined> {
  if (typeof prompt !== 'string' || prompt.trim() === '') return undefined
  const notes = await (await ports.memory()).notesFor(prompt)
  return notes === undefined ? undefined : context('UserPromptSubmit', notes)
}

function context(hookEventName: string, additionalContext: string): HookOutput {
  return { hookSpecificOutput: { hookEventName, additionalContext } }
}

/** Starts the daemon unless one is running. Returns what keeps it from running. */
async function whyClosed({ door }: HookPorts): Promise<string | undefined> {
  try {
    await door.startDaemon()
    return undefined
  } catch (error) {
    const why = error instanceof CodedError ? error.message : 'the daemon did not respond in time'
    return `the model cannot be reached, because the model door is closed: ${why}. Start it with \`ctxd server start\`; \`ctxd doctor\` says what is wrong.`
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
