/** Who sends a request to a model, for clients whose plugin can add a header but nothing that a model would see. */

import { isAbsolute } from 'node:path'

import { agentIdPattern } from '../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import {
  idPattern,
  isMatch,
  lifetimeProblem,
  openSigned,
  unexpectedPayload,
  type Problem,
} from './signed-payload.ts'

/** For the door only: it is not passed on to the provider. */
export const callerHeader = 'x-contextd-caller'

export interface SignedCaller {
  /** The client's own session, which a subagent shares with the agent that started it. */
  readonly session: string
  /** Absent for an agent whose name contextd cannot use: it gets nothing that is meant for an agent. */
  readonly agent?: string
  /** The client's own id of this one running subagent; the main thread has none. */
  readonly instance?: string
  /** Where the client works: relative paths in tool inputs are below it. */
  readonly folder?: string
}

/** How long clients repeat a request that failed, with the same headers. */
const maxRetryMs = 15 * 60_000

/** The caller where everything about the header is valid, else what is not. It can be used more than once, for retries. */
export function verifySignedCaller(
  text: unknown,
  { key, now }: { readonly key: Uint8Array; readonly now: number },
): SignedCaller | Problem {
  const opened = openSigned(text, key)
  if ('problem' in opened) return opened
  const said = readPayload(opened.payload)
  if (said === undefined) return unexpectedPayload
  const isRetry = said.expires <= now && said.expires + maxRetryMs > now
  const late = isRetry ? undefined : lifetimeProblem(said.expires, now)
  if (late !== undefined) return late
  const { session, agent, instance, folder } = said
  return {
    session,
    ...(agent !== undefined && { agent }),
    ...(instance !== undefined && { instance }),
    ...(folder !== undefined && { folder }),
  }
}

interface Payload extends SignedCaller {
  readonly expires: number
}

const fields = new Set(['use', 'session', 'agent', 'instance', 'folder', 'expires'])

/** `use` keeps one signed text from being taken for another: the same key signs attestations. */
function readPayload(value: JsonObject): Payload | undefined {
  if (Object.keys(value).some((name) => !fields.has(name))) return undefined
  const { use, session, agent, instance, folder, expires } = value
  const isValid =
    use === 'model' &&
    isMatch(session, idPattern) &&
    (agent === undefined || isMatch(agent, agentIdPattern)) &&
    (instance === undefined || isMatch(instance, idPattern)) &&
    (folder === undefined || (typeof folder === 'string' && isAbsolute(folder))) &&
    Number.isSafeInteger(expires)
  return isValid ? (value as unknown as Payload) : undefined
}
