import { beforeEach } from 'vitest'

import { createEgress, type EgressOptions, type FetchResponse } from '../../src/tools/http/egress.ts'
import { FetchProblem, type ProblemKind } from '../../src/tools/http/fetch-problem.ts'
import { compileHostGrants } from '../../src/tools/http/host-grants.ts'
import type { RequestReport } from '../../src/tools/http/request-report.ts'
import type { FetchRequest } from '../../src/tools/http/request.ts'

/** Answers for the name server; a name that is not in it does not exist. */
export type Names = Readonly<Record<string, readonly string[]>>

export interface EgressProbe {
  readonly reports: RequestReport[]
  /** Names that were looked up. */
  readonly looked: string[]
  fetch(
    request: FetchRequest | string,
    scopes: readonly string[],
    names?: Names,
    options?: Partial<EgressOptions> & { signal?: AbortSignal },
  ): Promise<FetchResponse>
  /** Why it failed; throws where it did not. */
  problem(...parts: Parameters<EgressProbe['fetch']>): Promise<ProblemKind>
}

/** A broker for each request, and what it reported since the test began. */
export function egressProbe(): EgressProbe {
  const probe: EgressProbe = {
    reports: [],
    looked: [],
    fetch(request, scopes, names = {}, { signal, ...options } = {}) {
      const egress = createEgress({
        timeMs: 100_000,
        responseBytes: 100_000,
        report: (report) => probe.reports.push(report),
        lookup: lookupIn(names, probe.looked),
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
    probe.looked.length = 0
  })
  return probe
}

export function grantsOf(scopes: readonly string[]): ReturnType<typeof compileHostGrants> {
  return compileHostGrants(scopes.map((scope) => ({ kind: 'http:fetch', scope })))
}

export function lookupIn(names: Names, looked: string[] = []): (name: string) => Promise<readonly string[]> {
  return async (name) => {
    looked.push(name)
    const found = names[name]
    if (found === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    return found
  }
}
