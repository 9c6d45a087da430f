/** The API's messages, for doors to other programs. Loaded only by those, because the descriptors take time to load. */

import {
  fromJson,
  ScalarType,
  toJson,
  type DescField,
  type DescMethod,
  type DescService,
  type JsonValue,
} from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'

import { ContextdError, missingThing } from '../../core/errors/errors.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import { Agents } from './gen/contextd/v1/agents_pb.ts'
import { Audit } from './gen/contextd/v1/audit_pb.ts'
import { Branch } from './gen/contextd/v1/branch_pb.ts'
import { Checkpoint } from './gen/contextd/v1/checkpoint_pb.ts'
import { Config } from './gen/contextd/v1/config_pb.ts'
import { Context } from './gen/contextd/v1/context_pb.ts'
import { Index } from './gen/contextd/v1/index_pb.ts'
import { Memory } from './gen/contextd/v1/memory_pb.ts'
import { Policy } from './gen/contextd/v1/policy_pb.ts'
import { Refs } from './gen/contextd/v1/refs_pb.ts'
import { SafeExec } from './gen/contextd/v1/safe_exec_pb.ts'
import { Server } from './gen/contextd/v1/server_pb.ts'
import { Servers } from './gen/contextd/v1/servers_pb.ts'
import { Sessions } from './gen/contextd/v1/sessions_pb.ts'
import { Tools } from './gen/contextd/v1/tools_pb.ts'

export const services: readonly DescService[] = [
  Agents,
  Audit,
  Branch,
  Checkpoint,
  Config,
  Context,
  Index,
  Memory,
  Policy,
  Refs,
  SafeExec,
  Server,
  Servers,
  Sessions,
  Tools,
]

const methods = new Map<string, DescMethod>(
  services.flatMap((service) =>
    service.methods.map((method) => [`${service.name}/${method.name}`, method] as const),
  ),
)

/** The protobuf method of an RPC. */
export function methodOf(rpc: string): DescMethod {
  const method = methods.get(rpc)
  if (method === undefined) throw new ContextdError('NOT_FOUND', missingThing('API call', rpc))
  return method
}

/** Unary RPCs without side effects. */
export function readingRpcs(): string[] {
  return [...methods]
    .filter(([, { methodKind, idempotency }]) => methodKind === 'unary' && idempotency === readsOnly)
    .map(([rpc]) => rpc)
}

const readsOnly = MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS

/** Validates a request against its message. Unknown fields and wrong types are refused with their location. */
export function readRequest(rpc: string, request: JsonObject): JsonObject {
  const { input } = methodOf(rpc)
  try {
    return toJson(input, fromJson(input, request as JsonValue)) as JsonObject
  } catch (error) {
    const names = input.fields.map(({ jsonName }) => jsonName)
    const hint = names.length === 0 ? 'It has no fields.' : `Its fields are ${names.join(', ')}.`
    throw new ContextdError(
      'INVALID_REQUEST',
      { what: whatIsWrong(input.name, error), hint },
      { cause: error },
    )
  }
}

/** The library's message contains the field and its value; the value must not be repeated. */
function whatIsWrong(message: string, error: unknown): string {
  const problem = error instanceof Error ? error.message : ''
  const unknown = /key "([A-Za-z0-9_]{1,64})" is unknown/.exec(problem)?.[1]
  if (unknown !== undefined) return `${message} has no field ${unknown}`
  const field = /decode field (?:[\w.]+\.)?(\w+)/.exec(problem)?.[1]
  return field === undefined
    ? `this is not a valid ${message}`
    : `the field ${field} of ${message} has the wrong type`
}

/** Reads the fields of a request from a query: `?limit=5&tag=a&tag=b`. */
export function readQuery(rpc: string, query: URLSearchParams): JsonObject {
  const { input } = methodOf(rpc)
  const request: Record<string, Json> = {}
  for (const name of new Set(query.keys())) {
    const field = input.fields.find(({ jsonName }) => jsonName === name)
    const values = query.getAll(name).map((text) => valueOf(text, field))
    // Unknown fields stay, and are refused with the rest.
    request[name] = field?.fieldKind === 'list' ? values : (values.at(-1) ?? null)
  }
  return request
}

function valueOf(text: string, field: DescField | undefined): Json {
  const isBool = field?.scalar === ScalarType.BOOL
  return isBool && (text === 'true' || text === 'false') ? text === 'true' : text
}
