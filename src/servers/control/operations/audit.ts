/** Queries of the audit log. The operator's own queries are recorded too, and left out unless requested. */

import type { RuntimeCore } from '../../../compose.ts'
import { CONTROL_SERVER, LOCAL_TENANT, OPERATOR } from '../../../core/call.ts'
import { ContextdError, errorCatalogue, type ErrorCode, shortName } from '../../../core/errors/errors.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import {
  createAuditReader,
  type AuditEntry,
  type AuditFilter,
  type AuditReader,
} from '../../../stages/audit/query.ts'
import type { AuditRecord } from '../../../stages/audit/record.ts'
import { verifyAudit } from '../../../stages/audit/verify.ts'
import { followAudit, tailFilter } from './audit-tail.ts'
import type { Operation } from './operation.ts'
import { choiceIn, countField, flagIn, textIn, theText, timeIn, wrong } from './request.ts'
import { jsonList, jsonOf } from './response.ts'

export const auditOperations: readonly Operation[] = [
  {
    rpc: 'Audit/Query',
    run: async (request, { runtime, call }) => queryAudit(readerOf(runtime), request, call.id),
  },
  {
    rpc: 'Audit/Show',
    run: async (request, { runtime }) => showCall(readerOf(runtime), theText(request, 'call')),
  },
  {
    rpc: 'Audit/Tail',
    async run(request) {
      // Throws for an invalid request before the stream starts.
      tailFilter(request)
      return {}
    },
    follow: (request, { runtime, signal, send }) =>
      followAudit(request, {
        audit: readerOf(runtime),
        onAppended: runtime.audit.onAppended,
        signal,
        send: (record) => send({ record }),
      }),
  },
  {
    rpc: 'Audit/Verify',
    long: true,
    async run(_request, { runtime: { store, paths }, progress }) {
      const files = { store, keysDir: paths.keys, headFile: paths.auditHead }
      return jsonOf(verifyAudit(files, { onProgress: (checked) => progress({ checked }) }))
    },
  },
]

function readerOf({ store }: RuntimeCore): AuditReader {
  return createAuditReader({ store, tenant: LOCAL_TENANT, clock: Date.now })
}

const usualLimit = 50

/** The same for commands that can open only the store; `own` is the call that makes this query. */
export function queryAudit(audit: AuditReader, request: JsonObject, own?: string): JsonObject {
  const { agent, server, ...filter } = filterIn(request)
  const isAboutThePerson = agent === OPERATOR || server === CONTROL_SERVER
  const entries = audit.query({
    ...filter,
    ...(agent !== undefined && { agent }),
    ...(server !== undefined && { server }),
    except: { ...(!isAboutThePerson && { agent: OPERATOR }), ...(own !== undefined && { call: own }) },
  })
  return { entries: jsonList(entries) }
}

function filterIn(request: JsonObject): AuditFilter {
  const filter = {
    since: timeIn(request, 'since'),
    until: timeIn(request, 'until'),
    agent: textIn(request, 'agent'),
    server: textIn(request, 'server'),
    tool: textIn(request, 'tool'),
    session: textIn(request, 'session'),
    decision: choiceIn(request, 'decision', ['allow', 'deny']),
    error: errorIn(request),
    kind: choiceIn(request, 'kind', ['call', 'event']),
    event: textIn(request, 'event'),
    crashed: flagIn(request, 'crashed') || undefined,
    leaks: flagIn(request, 'leaks') || undefined,
    limit: countField(request, 'limit', { min: 1 }) ?? usualLimit,
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}

function errorIn(request: JsonObject): ErrorCode | undefined {
  const code = textIn(request, 'error')
  if (code === undefined) return undefined
  if (!Object.hasOwn(errorCatalogue, code)) throw wrong('error', 'an error code such as DENIED_BY_POLICY')
  return code as ErrorCode
}

/** Also for commands that can open only the store. */
export function showCall(audit: AuditReader, call: string): JsonObject {
  const entry = audit.show(call)
  if (entry === undefined) {
    throw new ContextdError('NOT_FOUND', {
      what: `call ${shortName(call)}`,
      hint: '`ctxd audit query` shows the IDs. A shortened ID needs at least its first 8 characters and must be unambiguous.',
    })
  }
  const requests = requestsOf(entry, audit).map(({ details }) => details ?? {})
  return {
    entry: jsonOf(entry),
    ...(requests.length > 0 && { http_requests: requests }),
  }
}

/** The requests of a call lie between its two records; their times are taken slightly before they are written. */
const slackMs = 1000

/** The web requests of a call, oldest first. */
function requestsOf(entry: AuditEntry, audit: AuditReader): AuditEntry[] {
  const { call = '', session, time, duration_ms = 0, status } = entry
  const written = Date.parse(time)
  const events = audit.query({
    event: 'http-request',
    session,
    since: written - duration_ms - slackMs,
    ...(status === 'done' && { until: written + slackMs }),
    limit: Infinity,
  })
  return events.filter((event) => isAbout(event, call)).toReversed()
}

function isAbout({ details }: Pick<AuditRecord, 'details'>, call: string): boolean {
  return isJsonObject(details) && details.call === call
}
