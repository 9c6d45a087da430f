/**
 * The API on `hook.sock`: `{"method":"call","rpc":"Audit/Query","request":{…}}`. Closing the socket cancels the
 * call.
 */

import { ContextdError } from '../../core/errors/errors.ts'
import { isJsonObject } from '@contextd/shared/json/value'
import { readTrace } from '../../platform/telemetry/trace-context.ts'
import { VERSION } from '@contextd/shared/version'
import type { SocketHandler } from '../local/hook-socket.ts'
import type { Workspaces } from '../sessions/workspaces.ts'
import { localCaller } from '../sessions/callers.ts'

/** A program's own name is in every record of its calls. */
const maxNameLength = 64

/** The socket's method `call`. Its dependencies are loaded with the first call. Other methods accept longer lines. */
export function callMethod(workspaces: Workspaces, maxChars: number): SocketHandler {
  return async (asked, { signal, length, send }) => {
    if (length > maxChars) throw new ContextdError('MESSAGE_TOO_LARGE', { limit: maxChars })
    const { rpc, request = {}, agent, session, workspace, client = 'ctxd' } = asked
    if (typeof rpc !== 'string' || !isJsonObject(request) || typeof client !== 'string') {
      throw new ContextdError('INVALID_REQUEST', {
        what: 'expected {"method": "call", "rpc": "Service/Method", "request": {…}}',
        hint: 'docs/reference/api.md lists every call.',
      })
    }
    const [{ readRequest }, { perform }] = await Promise.all([
      import('./messages.ts'),
      import('./perform.ts'),
    ])
    const checked = readRequest(rpc, request)
    const caller = localCaller(
      { name: client.slice(0, maxNameLength), version: VERSION, door: 'cli' },
      {
        agent,
        session,
        trace: readTrace(asked),
      },
    )
    return workspaces.use(workspace, (runtime) =>
      perform(runtime, rpc, checked, caller, { signal, onEvent: send }),
    )
  }
}
