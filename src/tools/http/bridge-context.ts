import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { Lookup } from './dial.ts'
import type { FetchProblem, ProblemKind } from './fetch-problem.ts'
import type { HostGrants } from './host-grants.ts'
import type { ReportRequest } from './request-report.ts'
import { limitTime } from './time-limit.ts'

/** Shared by both kinds of forwarding, requests and tunnels. */
export interface BridgeContext {
  readonly grants: HostGrants
  readonly report: ReportRequest
  /** The timeout for connecting to a host. */
  readonly timeMs: number
  /** The timeout of an idle connection. */
  readonly idleMs: number
  readonly lookup: Lookup
  readonly ca: string | undefined
}

/** Aborts on timeout, or when the requesting program disconnects. */
export async function untilCancelled<T>(
  { timeMs }: BridgeContext,
  client: Socket | ServerResponse,
  reach: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  if (client.destroyed) leave()
  client.once('close', leave)
  const time = limitTime(timeMs, gone.signal)
  try {
    return await reach(time.signal)
  } finally {
    time.stop()
    client.off('close', leave)
  }
}

export function reportInvalid({ report }: BridgeContext, method: string): void {
  report({ method, sentBytes: 0, receivedBytes: 0, durationMs: 0, outcome: 'invalid' })
}

const statusOf: Partial<Record<ProblemKind, readonly [number, string]>> = {
  not_granted: [403, 'Forbidden by contextd'],
  invalid: [400, 'Bad Request'],
  timeout: [504, 'Gateway Timeout'],
}

/** The response to a program in place of the host's; most programs show it. */
export function refusalOf({ kind, message, grant }: FetchProblem): {
  status: number
  phrase: string
  text: string
} {
  const [status, phrase] = statusOf[kind] ?? [502, 'Bad Gateway']
  const toAdd = grant === undefined ? '' : `; the user can add "${grant}" to allow.capabilities of this agent`
  return { status, phrase, text: `contextd: ${message}${toAdd}\n` }
}
