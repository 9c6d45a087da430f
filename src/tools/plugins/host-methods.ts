/** What a running tool can ask contextd for, over its descriptor. Each needs its capability. */

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
import { otherMethodsOf } from '../http/asked-methods.ts'
import { compileHostGrants, type GrantedDestination } from '../http/host-grants.ts'
import { readTarget, type RequestTarget } from '../http/target.ts'
import type { HostMethod, HostMethods } from './host-channel.ts'

export interface HostTerms {
  /** The name of the tool. */
  readonly tool: string
  readonly host: ToolHost
  /** What the tool may do in this call. */
  readonly granted: readonly Capability[]
  /** What it may ask a person for. */
  readonly optional: readonly Capability[]
  /** Goes to the web within the grants of tool and agent. */
  readonly fetch: (url: string, init: JsonObject) => Promise<JsonObject>
  /** Ends the tool: a person must say yes first. */
  readonly want: (capability: Capability) => ContextdError
}

/** Nobody reads more of them, and each goes to the client. */
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

export function hostMethods(terms: HostTerms): HostMethods {
  const { tool, host, granted, optional, want } = terms
  let notices = 0
  const notice = (send: () => void): Json => {
    notices += 1
    if (notices > maxNotices)
      throw new ContextdError('RATE_LIMITED', { agent: tool, limit: `${maxNotices} notices` })
    send()
    return {}
  }
  /** Passes where the tool has it. Where it may ask for it, the tool ends here. */
  const need = (kind: CapabilityKind): void => {
    if (granted.some((one) => one.kind === kind)) return
    const known = optional.find((one) => one.kind === kind)
    if (known !== undefined) throw want(known)
    throw new ContextdError('CAPABILITY_NOT_GRANTED', {
      agent: tool,
      capability: kind,
      hint: undeclared(tool),
    })
  }
  const method = <T>(shape: z.ZodType<T>, work: (params: T) => Json | Promise<Json>): HostMethod => {
    return (params) => work(checked(shape, params))
  }
  return new Map<string, HostMethod>([
    [
      'scrub',
      method(shapes.scrub, async (params) => {
        need('scrubber:scan')
        return { text: await host.scrub(params.text) }
      }),
    ],
    ['log', method(shapes.log, ({ level, message }) => notice(() => host.log(level, message)))],
    [
      'progress',
      method(shapes.progress, ({ progress, total, message }) =>
        notice(() =>
          host.progress({
            progress,
            ...(total !== undefined && { total }),
            ...(message !== undefined && { message }),
          }),
        ),
      ),
    ],
    ['fetch', method(shapes.fetch, ({ url, ...init }) => fetchFor(terms, url, init as JsonObject))],
    [
      'require',
      method(shapes.require, ({ capability }) => {
        const wanted = parseCapability(capability)
        const isListed = optional.some((one) => formatCapability(one) === capability)
        // What is not listed is repeated to the agent in our own words: it must not hold any of a stranger's.
        if (wanted === undefined || !(isListed || plainCapability.test(capability)))
          throw invalid('capability', 'one of those in capabilities.toml')
        if (!granted.some((one) => formatCapability(one) === capability)) throw want(wanted)
        return { granted: true }
      }),
    ],
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
    // Refused there too, where it is recorded.
    await fetch(url, init).catch(() => {})
    throw invalid('url', target)
  }
  const destination = destinationOf(target, init)
  const reason = compileHostGrants(granted).whyNot(destination)
  if (reason === undefined) return fetch(url, init)
  const known = optional.find((one) => compileHostGrants([one]).whyNot(destination) === undefined)
  if (known !== undefined) throw want(known)
  // The broker holds to the same grants: it refuses, and the refusal is recorded.
  await fetch(url, init).catch(() => {})
  throw new ContextdError('HOST_NOT_GRANTED', { agent: tool, reason, hint: undeclared(tool) })
}

/** What is wrong with the request itself is said where it is sent. */
function destinationOf({ host, port, path }: RequestTarget, init: JsonObject): GrantedDestination {
  const method = typeof init.method === 'string' ? init.method.toUpperCase() : 'GET'
  const headers = isJsonObject(init.headers) ? (init.headers as Record<string, string>) : {}
  const otherMethods = otherMethodsOf({ method, path, headers, hasBody: (init.body ?? '') !== '' })
  return { method, otherMethods, host, port }
}

function present<T>(feature: T | undefined, what: string): T {
  if (feature === undefined) throw new ContextdError('NOT_FOUND', { what: `${what} in this contextd` })
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
