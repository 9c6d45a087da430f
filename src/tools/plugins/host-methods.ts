/** The methods a running tool can call on contextd over its file descriptor. Each requires a capability. */

import * as z from 'zod'

import {
  formatCapability,
  parseCapability,
  type Capability,
  type CapabilityKind,
} from '../../core/capability.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../../core/ports.ts'
import { overrideMethods } from '../http/method-override.ts'
import { compileHostGrants, type GrantedDestination } from '../http/host-grants.ts'
import { readTarget, type RequestTarget } from '../http/target.ts'
import type { HostMethod, HostMethods } from './host-channel.ts'

export interface HostTerms {
  /** The name of the tool. */
  readonly tool: string
  readonly host: ToolHost
  /** The tool's capabilities in this call. */
  readonly granted: readonly Capability[]
  /** Capabilities it may request from the user. */
  readonly optional: readonly Capability[]
  /** Sends a web request within the grants of the tool and the agent. */
  readonly fetch: (url: string, init: JsonObject) => Promise<JsonObject>
  /** The error that ends the tool until the user grants the capability. */
  readonly want: (capability: Capability) => ContextdError
}

/** Each is sent to the client, where nobody reads more. */
const maxNotices = 1000
/** Without spaces, so that it cannot be a sentence. */
const plainCapability = /^[\w:*.,@/[\]-]{1,200}$/

const text = z.string()
const shapes = {
  scrub: z.strictObject({ text }),
  log: z.strictObject({ level: z.enum(['debug', 'info', 'warning', 'error']), message: z.json() }),
  progress: z.strictObject({ progress: z.number(), total: z.number().optional(), message: text.optional() }),
  fetch: z.looseObject({ url: text }),
  require: z.strictObject({ capability: text }),
  query: z.strictObject({ query: text }),
  anything: z.record(text, z.json()),
  id: z.strictObject({ id: text }),
}

export function createHostMethods(terms: HostTerms): HostMethods {
  const { host } = terms
  const need = (kind: CapabilityKind): void => requireCapability(terms, kind)
  return new Map<string, HostMethod>([
    [
      'scrub',
      method(shapes.scrub, async (params) => {
        need('scrubber:scan')
        return { text: await host.scrub(params.text) }
      }),
    ],
    ...notificationMethods(terms),
    ['fetch', method(shapes.fetch, ({ url, ...init }) => fetchFor(terms, url, init as JsonObject))],
    ['require', method(shapes.require, ({ capability }) => requestCapability(terms, capability))],
    [
      'memory.search',
      method(shapes.query, ({ query }) => {
        need('memory:read')
        return present(host.memory, 'memory').search(query)
      }),
    ],
    [
      'memory.store',
      method(shapes.anything, async (memory) => {
        need('memory:write')
        return { id: await present(host.memory, 'memory').store(memory) }
      }),
    ],
    [
      'checkpoint.save',
      method(shapes.anything, async (state) => {
        need('memory:write')
        return { id: await present(host.checkpoints, 'checkpoints').save(state) }
      }),
    ],
    [
      'checkpoint.restore',
      method(shapes.id, ({ id }) => {
        need('memory:read')
        return present(host.checkpoints, 'checkpoints').restore(id)
      }),
    ],
  ])
}

function method<T>(shape: z.ZodType<T>, work: (params: T) => Json | Promise<Json>): HostMethod {
  return (params) => work(checked(shape, params))
}

/** Methods that only notify the client; their number is limited. */
function notificationMethods({ tool, host }: HostTerms): [string, HostMethod][] {
  let sent = 0
  const notify = (send: () => void): Json => {
    sent += 1
    if (sent > maxNotices)
      throw new ContextdError('RATE_LIMITED', { agent: tool, limit: `${maxNotices} notices` })
    send()
    return {}
  }
  return [
    ['log', method(shapes.log, ({ level, message }) => notify(() => host.log(level, message)))],
    [
      'progress',
      method(shapes.progress, ({ progress, total, message }) =>
        notify(() =>
          host.progress({
            progress,
            ...(total !== undefined && { total }),
            ...(message !== undefined && { message }),
          }),
        ),
      ),
    ],
  ]
}

/** Ends the tool if the capability is optional and not granted yet. */
function requireCapability({ tool, granted, optional, want }: HostTerms, kind: CapabilityKind): void {
  if (granted.some((one) => one.kind === kind)) return
  const known = optional.find((one) => one.kind === kind)
  if (known !== undefined) throw want(known)
  throw new ContextdError('CAPABILITY_NOT_GRANTED', {
    agent: tool,
    capability: kind,
    hint: undeclared(tool),
  })
}

function requestCapability({ granted, optional, want }: HostTerms, text: string): Json {
  const capability = parseCapability(text)
  const isListed = optional.some((one) => formatCapability(one) === text)
  // An unlisted capability is quoted in a message to the agent, which must not contain untrusted sentences.
  if (capability === undefined || !(isListed || plainCapability.test(text)))
    throw invalid('capability', 'one of those in capabilities.toml')
  if (!granted.some((one) => formatCapability(one) === text)) throw want(capability)
  return { granted: true }
}

function undeclared(tool: string): string {
  return `The tool ${tool} does not ask for it: list it in its capabilities.toml, and have the tool approved again.`
}

async function fetchFor(
  { tool, granted, optional, fetch, want }: HostTerms,
  url: string,
  init: JsonObject,
): Promise<JsonObject> {
  const target = readTarget(url)
  if (typeof target === 'string') {
    // Also refused by egress, which records it.
    await fetch(url, init).catch(() => {})
    throw invalid('url', target)
  }
  const destination = destinationOf(target, init)
  const reason = compileHostGrants(granted).whyNot(destination)
  if (reason === undefined) return fetch(url, init)
  const known = optional.find((one) => compileHostGrants([one]).whyNot(destination) === undefined)
  if (known !== undefined) throw want(known)
  // Egress applies the same grants, refuses the request and records it.
  await fetch(url, init).catch(() => {})
  throw new ContextdError('HOST_NOT_GRANTED', { agent: tool, reason, hint: undeclared(tool) })
}

/** Malformed requests are reported when they are sent. */
function destinationOf({ host, port, path }: RequestTarget, init: JsonObject): GrantedDestination {
  const method = typeof init.method === 'string' ? init.method.toUpperCase() : 'GET'
  const headers = isJsonObject(init.headers) ? (init.headers as Record<string, string>) : {}
  const otherMethods = overrideMethods({ method, path, headers, hasBody: (init.body ?? '') !== '' })
  return { method, otherMethods, host, port }
}

function present<T>(feature: T | undefined, what: string): T {
  if (feature === undefined)
    throw new ContextdError('NOT_FOUND', {
      what: `${what} in this contextd`,
      hint: 'The user must enable it.',
    })
  return feature
}

function checked<T>(shape: z.ZodType<T>, params: JsonObject): T {
  const { success, data, error } = shape.safeParse(params)
  if (success) return data
  throw invalid(
    error.issues.map(({ path }) => path.join('.')).join(', '),
    'see docs/reference/tool-package.md',
  )
}

function invalid(field: string, expected: string): ContextdError {
  return new ContextdError('INVALID_ARGUMENTS', { fields: [{ field, expected }] })
}
