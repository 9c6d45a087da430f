import type { Call } from '../../src/core/call.ts'
import { newTrail } from '../../src/core/trail.ts'

/** A call as a transport would create it, with overrides of the test. */
export function aCall(parts: Partial<Call> = {}): Call {
  return {
    id: 'call-1',
    method: 'tool',
    tenant: 'local',
    project: '/project',
    session: 'session-1',
    user: 'me',
    client: { name: 'test', version: '1', door: 'stdio' },
    claims: {},
    server: 'contextd',
    tool: 'probe',
    arguments: {},
    grants: [],
    trail: newTrail(),
    signal: new AbortController().signal,
    deadline: Date.now() + 10_000,
    ...parts,
  }
}
