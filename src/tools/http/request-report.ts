import type { Socket } from 'node:net'

import type { FetchProblem, FetchOutcome } from './fetch-problem.ts'

/** What the audit learns of one request. Never its path, query, headers or body: those may hold secrets. */
export interface RequestReport {
  readonly method: string
  /** Absent where the request named none. */
  readonly host?: string
  readonly port?: number
  /** The address that was connected to. */
  readonly address?: string
  readonly status?: number
  /** As they went over the wire. */
  readonly sentBytes: number
  readonly receivedBytes: number
  readonly durationMs: number
  readonly outcome: FetchOutcome
}

/** Called for every request, also for one that was refused. What it throws ends the work it reports on. */
export type ReportRequest = (report: RequestReport) => void

/** What is known of a request while it runs. */
export interface RequestProgress {
  socket?: Socket
  /** Kept beside the socket, which forgets it when it is closed. */
  address?: string | undefined
  status?: number
  problem?: FetchProblem
}

export function noteConnection(progress: RequestProgress, socket: Socket): Socket {
  progress.socket = socket
  progress.address = socket.remoteAddress
  return socket
}

/** Runs one request and reports on it, however it ends. */
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
    })
  }
}
