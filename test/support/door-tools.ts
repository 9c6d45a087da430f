import { EventEmitter, once } from 'node:events'

import type { ContextdError } from '../../src/core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../../src/core/ports.ts'
import { answer, type Result } from '../../src/core/result.ts'
import type { Tool } from '../../src/core/tool.ts'

/** Looks like a credential, so it must never leave. */
export const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

/** A tool of our own server that accepts any arguments. */
export function aTool(name: string, run: (args: JsonObject, host: ToolHost) => Promise<Result>): Tool {
  return {
    definition: { name, description: name, inputSchema: { type: 'object' } },
    server: 'contextd',
    needs: [],
    run,
  }
}

function form(message: string): JsonObject {
  return { message, requestedSchema: { type: 'object', properties: { reply: { type: 'string' } } } }
}

/** The tools that transport tests call. */
export function doorTools(): readonly Tool[] {
  const turns = new EventEmitter()
  let aborted: Promise<string> = Promise.reject(new Error('nothing was waiting'))
  aborted.catch(() => {})
  return [
    aTool('echo', async (args) => answer(args)),
    aTool('wait', async (_, host) => {
      const { signal } = host.call
      const abort: Promise<unknown> = signal.aborted ? Promise.resolve() : once(signal, 'abort')
      aborted = abort.then(() => (signal.reason as ContextdError).code)
      host.progress({ progress: 1, message: 'waiting' })
      return answer(await aborted)
    }),
    aTool('why_aborted', async () => answer(await aborted)),
    aTool('report', async (_, host) => {
      host.progress({ progress: 1, total: 2, message: `half of ${secret}` })
      host.log('info', { said: secret })
      host.progress({ progress: 2, total: 2 })
      // Clients drop progress after the response, so the response waits until it was received.
      await once(turns, 'go on')
      return answer('reported')
    }),
    aTool('go_on', async () => answer(turns.emit('go on'))),
    aTool('log', async (_, host) => {
      host.log('info', 'something')
      return answer('logged')
    }),
    aTool('ask_twice', async (_, { call }) => {
      const name = await call.ask?.({ kind: 'elicitation', params: form(`Your name? ${secret}`) })
      const colour = await call.ask?.({ kind: 'elicitation', params: form('Your colour?') })
      return answer({ name: name?.content ?? null, colour: colour?.content ?? null })
    }),
  ]
}
