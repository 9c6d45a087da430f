import type { Socket } from 'node:net'

import type { FetchProblem, FetchOutcome } from './fetch-problem.ts'

/** The audit record of one request. Never contains its path, query, headers or body, which may contain secrets. */
export interface RequestReport {
  readonly method: string
  /** Absent if the request named no host. */
  readonly host?: string
  readonly port?: number
  /** The address of the connection. */
  readonly address?: string
  readonly status?: number
  /** As sent over the wire. */
  readonly sentBytes: number
  readonly receivedBytes: number
  readonly durationMs: number
  readonly outcome: FetchOutcome
  /** Why it was refused, and the grant that would allow it. */
  readonly refusal?: { readonly reason: string; readonly grant?: string | undefined }
}

/** Called for every request, including refused ones. If it throws, the reported work fails. */
export type ReportRequest = (report: RequestReport) => void

/** The state of a request while it runs. */
export interface RequestProgress {
  socket?: Socket
  /** Stored separately, because a closed socket forgets it. */
  address?: string | undefined
  status?: number
  problem?: FetchProblem
}

export function noteConnection(progress: RequestProgress, socket: Socket): Socket {
  progress.socket = socket
  progress.address = socket.remoteAddress
  return socket
}

/** Runs one request and reports it, however it ends. */
export async function reported<T>(
  report: ReportRequest,
  request: Pick<RequestReport, 'method' | 'host' | 'port'>,
  work: (progress: RequestProgress) => Promise<T>,
): Promise<T> {
  const started = performance.now()
  const progress: RequestProgress = {}
  try {
    return await work(progress)
  } finally {
    const { socket, address, status, problem } = progress
    socket?.destroy()
    report({
      ...request,
      ...(address !== undefined && { address }),
      ...(status !== undefined && { status }),
      sentBytes: socket?.bytesWritten ?? 0,
      receivedBytes: socket?.bytesRead ?? 0,
      durationMs: Math.round(performance.now() - started),
      outcome: problem?.kind ?? 'answered',
      ...(problem?.kind === 'not_granted' && {
        refusal: { reason: problem.message, grant: problem.grant },
      }),
    })
  }
}
