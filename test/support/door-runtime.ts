import { randomUUID } from 'node:crypto'

import type { CallRequest, Runtime } from '../../src/compose.ts'
import type { Call, Client } from '../../src/core/call.ts'
import type { ToolHost } from '../../src/core/ports.ts'
import type { Result } from '../../src/core/result.ts'
import type { PayloadSource, Tool } from '../../src/core/tool.ts'
import { newTrail } from '../../src/core/trail.ts'
import { configSchema } from '../../src/platform/config/config-schema.ts'
import { dispatchStage } from '../../src/stages/dispatch/stage.ts'

export interface DoorRuntime extends Runtime {
  /** Every call that the transport created, in order. */
  readonly seen: CallRequest[]
  readonly begun: Map<string, Client>
  readonly ended: string[]
  readonly closed: () => boolean
  listChanged(): void
}

/**
 * A runtime whose pipeline consists of dispatch only, so that a test sees exactly what the transport made of a request.
 */
export function doorRuntime(
  parts: {
    tools?: readonly Tool[]
    payloads?: PayloadSource
    handle?: (call: Call) => Promise<Result>
    messageBytes?: number
  } = {},
): DoorRuntime {
  const tools = parts.tools ?? []
  const listeners = new Set<() => void>()
  const seen: CallRequest[] = []
  const begun = new Map<string, Client>()
  const ended: string[] = []
  let closed = false
  const catalogue = {
    tools: () => tools,
    list: async () => tools.map(({ definition }) => definition),
    find: (name: string) => tools.find(({ definition }) => definition.name === name),
    ...(parts.payloads !== undefined && { payloads: parts.payloads }),
  }
  const dispatch = dispatchStage({
    catalogue,
    clock: Date.now,
    onCrash: () => {},
    hostFor: (call) =>
      ({
        call,
        scrub: async (text: string) => text,
        reveal: (text: string) => text,
        progress: (progress) => call.onProgress?.(progress),
        log: (level, message) => call.onLog?.(level, message),
      }) as ToolHost,
  })
  return {
    seen,
    begun,
    ended,
    closed: () => closed,
    listChanged: () => {
      for (const listener of listeners) listener()
    },
    log: () => {},
    upstream: { health: () => [] },
    config: configSchema.parse({ limits: parts.messageBytes ? { message_bytes: parts.messageBytes } : {} }),
    catalogue,
    previewTools: (_claims: unknown, names: readonly string[]) =>
      new Set(names.filter((name) => catalogue.find(name) !== undefined)),
    handle: parts.handle ?? ((call: Call) => dispatch(call, () => Promise.reject(new Error('innermost')))),
    newCall(request: CallRequest): Call {
      seen.push(request)
      return {
        id: randomUUID(),
        tenant: 'local',
        project: '/project',
        user: 'me',
        server: 'contextd',
        grants: [],
        trail: newTrail(),
        deadline: Date.now() + 30_000,
        ...request,
        arguments: request.arguments ?? {},
        resolvedTool: request.method === 'tool' ? catalogue.find(request.tool) : undefined,
      }
    },
    sessions: {
      begin(client: Client) {
        const id = randomUUID()
        begun.set(id, client)
        return id
      },
      end: (session: string) => void ended.push(session),
    },
    scrub: (text: string) => text.replaceAll(/hunter2|ghp_\w+/g, '[SECRET_1]'),
    onListChanged(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      closed = true
    },
  } as unknown as DoorRuntime
}
