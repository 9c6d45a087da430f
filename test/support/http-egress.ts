import { beforeEach } from 'vitest'

import { createEgress, type EgressOptions, type FetchResponse } from '../../src/tools/http/egress.ts'
import { FetchProblem, type ProblemKind } from '../../src/tools/http/fetch-problem.ts'
import { compileHostGrants } from '../../src/tools/http/host-grants.ts'
import type { RequestReport } from '../../src/tools/http/request-report.ts'
import type { FetchRequest } from '../../src/tools/http/request.ts'

/** Records of the name server; other names do not exist. */
export type Names = Readonly<Record<string, readonly string[]>>

export interface EgressProbe {
  readonly reports: RequestReport[]
  /** Resolved names. */
  readonly resolved: string[]
  fetch(
    request: FetchRequest | string,
    scopes: readonly string[],
    names?: Names,
    options?: Partial<EgressOptions> & { signal?: AbortSignal },
  ): Promise<FetchResponse>
  /** The error of the request; throws if it succeeded. */
  problem(...parts: Parameters<EgressProbe['fetch']>): Promise<ProblemKind>
}

/** A broker for each request, and the events it reported since the test started. */
export function egressProbe(): EgressProbe {
  const probe: EgressProbe = {
    reports: [],
    resolved: [],
    fetch(request, scopes, names = {}, { signal, ...options } = {}) {
      const egress = createEgress({
        timeMs: 100_000,
        responseBytes: 100_000,
        report: (report) => probe.reports.push(report),
        lookup: lookupIn(names, probe.resolved),
        ...options,
      })
      const given = typeof request === 'string' ? { url: request } : request
      return egress.fetch(given, grantsOf(scopes), signal === undefined ? {} : { signal })
    },
    async problem(...parts) {
      const error: unknown = await probe.fetch(...parts).then(
        () => new Error('it was answered'),
        (reason: unknown) => reason,
      )
      if (error instanceof FetchProblem) return error.kind
      throw error
    },
  }
  beforeEach(() => {
    probe.reports.length = 0
    probe.resolved.length = 0
  })
  return probe
}

export function grantsOf(scopes: readonly string[]): ReturnType<typeof compileHostGrants> {
  return compileHostGrants(scopes.map((scope) => ({ kind: 'http:fetch', scope })))
}

export function lookupIn(
  names: Names,
  resolved: string[] = [],
): (name: string) => Promise<readonly string[]> {
  return async (name) => {
    resolved.push(name)
    const found = names[name]
    if (found === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    return found
  }
}
