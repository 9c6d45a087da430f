/** Identifies the sender of a model request, for clients whose plugin can add a header that models do not see. */

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

/** For the door only; not passed on to the provider. */
export const callerHeader = 'x-contextd-caller'

export interface SignedCaller {
  /** The client's own session, which a subagent shares with its parent. */
  readonly session: string
  /** Absent if contextd cannot use the agent's name: it then gets nothing that is granted to an agent. */
  readonly agent?: string
  /** The client's own id of the running subagent; the main thread has none. */
  readonly instance?: string
  /** The client's working directory, to which relative paths in tool inputs refer. */
  readonly folder?: string
}

/** How long clients retry a failed request with the same headers. */
const maxRetryMs = 15 * 60_000

/** The caller if the header is valid, otherwise what is wrong with it. Can be used more than once, for retries. */
export function verifySignedCaller(
  text: unknown,
  { key, now }: { readonly key: Uint8Array; readonly now: number },
): SignedCaller | Problem {
  const opened = openSigned(text, key)
  if ('problem' in opened) return opened
  const payload = readPayload(opened.payload)
  if (payload === undefined) return unexpectedPayload
  const isRetry = payload.expires <= now && payload.expires + maxRetryMs > now
  const expired = isRetry ? undefined : lifetimeProblem(payload.expires, now)
  if (expired !== undefined) return expired
  const { session, agent, instance, folder } = payload
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

/** `use` prevents confusing signed texts: the same key also signs attestations. */
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
