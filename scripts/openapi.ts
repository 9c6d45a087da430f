/** Generates the OpenAPI description of the HTTP API from the gRPC messages. */
import { readdirSync, readFileSync } from 'node:fs'

import { ScalarType, type DescField, type DescMessage, type DescMethod } from '@bufbuild/protobuf'

import { VERSION } from '@contextd/shared/version'
import { methodOf, readingRpcs } from '../src/servers/control/messages.ts'
import { operationName } from '../src/servers/control/operations/operation.ts'
import { apiPrefix, pathOf } from '../src/servers/http/api.ts'

type Schema = Record<string, unknown>

export function openApiDocument(): Schema {
  const comments = readComments()
  const schemas: Record<string, Schema> = {}
  const paths: Record<string, Schema> = {
    [`${apiPrefix}tools/{name}`]: { post: callTool(comments, schemas) },
  }
  for (const name of readingRpcs()) {
    const path = `${apiPrefix}${pathOf(name)}`
    paths[path] = { ...paths[path], get: readOperation(methodOf(name), comments, schemas) }
  }
  schemas.Failure = failureSchema
  return {
    openapi: '3.1.0',
    info: {
      title: 'contextd',
      version: VERSION,
      description:
        'Tools by name, and every read-only call of the API. Names are the same as in `ctxd --json`.',
    },
    security: [{ bearer: [] }],
    paths: sorted(paths),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'From `ctxd agents token create`.' },
      },
      schemas: sorted(schemas),
    },
  }
}

const failureSchema: Schema = {
  type: 'object',
  description: 'Any denial or failure. The codes are those of the error catalogue.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        rule: { type: 'string' },
        hint: { type: 'string' },
      },
    },
  },
}

function callTool(comments: Comments, schemas: Record<string, Schema>): Schema {
  const method = methodOf('Tools/Call')
  return {
    operationId: 'tools.call',
    summary: comments.get('Tools.Call') ?? '',
    parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
    requestBody: {
      description: 'The arguments of the tool, as described by its own schema.',
      content: { 'application/json': { schema: { type: 'object' } } },
    },
    responses: responsesOf(method, comments, schemas),
  }
}

function readOperation(method: DescMethod, comments: Comments, schemas: Record<string, Schema>): Schema {
  return {
    operationId: operationName(`${method.parent.name}/${method.name}`),
    summary: comments.get(`${method.parent.name}.${method.name}`) ?? '',
    parameters: method.input.fields.map((field) => ({
      name: field.jsonName,
      in: 'query',
      description: comments.get(`${method.input.name}.${field.name}`) ?? '',
      schema: fieldSchema(field, comments, schemas),
    })),
    responses: responsesOf(method, comments, schemas),
  }
}

function responsesOf(method: DescMethod, comments: Comments, schemas: Record<string, Schema>): Schema {
  const json = (schema: Schema): Schema => ({ 'application/json': { schema } })
  return {
    200: { description: 'The response.', content: json(messageSchema(method.output, comments, schemas)) },
    default: {
      description: 'A denial or failure.',
      content: json({ $ref: '#/components/schemas/Failure' }),
    },
  }
}

/** Returns a reference to the message, whose schema is added once. */
function messageSchema(message: DescMessage, comments: Comments, schemas: Record<string, Schema>): Schema {
  const freeForm = freeFormSchemas[message.typeName]
  if (freeForm !== undefined) return freeForm
  if (schemas[message.name] === undefined) {
    const schema: Schema = { type: 'object' }
    schemas[message.name] = schema
    const about = comments.get(message.name)
    if (about !== undefined) schema.description = about
    schema.properties = Object.fromEntries(
      message.fields.map((field) => {
        const description = comments.get(`${message.name}.${field.name}`)
        return [
          field.jsonName,
          { ...fieldSchema(field, comments, schemas), ...(description !== undefined && { description }) },
        ]
      }),
    )
  }
  return { $ref: `#/components/schemas/${message.name}` }
}

const freeFormSchemas: Record<string, Schema> = {
  'google.protobuf.Struct': { type: 'object' },
  'google.protobuf.Value': {},
  'google.protobuf.ListValue': { type: 'array', items: {} },
}

function fieldSchema(field: DescField, comments: Comments, schemas: Record<string, Schema>): Schema {
  const one = (part: DescField | { message?: DescMessage; scalar?: ScalarType }): Schema =>
    part.message === undefined ? scalarSchema(part.scalar) : messageSchema(part.message, comments, schemas)
  if (field.fieldKind === 'list') return { type: 'array', items: one(field) }
  if (field.fieldKind === 'map') return { type: 'object', additionalProperties: one(field) }
  return one(field)
}

const scalars = new Map<ScalarType | undefined, string>([
  [ScalarType.BOOL, 'boolean'],
  [ScalarType.DOUBLE, 'number'],
  [ScalarType.INT32, 'integer'],
])

function scalarSchema(scalar: ScalarType | undefined): Schema {
  return { type: scalars.get(scalar) ?? 'string' }
}

type Comments = ReadonlyMap<string, string>

/** Reads the comments of services, methods, messages and fields from the files: descriptors do not contain them. */
export function readComments(): Comments {
  const folder = 'proto/contextd/v1'
  const found = new Map<string, string>()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.proto'))) {
    let pendingComments: string[] = []
    let parent = ''
    for (const line of readFileSync(`${folder}/${file}`, 'utf8').split('\n')) {
      const text = line.trim()
      const comment = /^\/\/ ?(.*)$/.exec(text)?.[1]
      if (comment !== undefined) {
        pendingComments.push(comment)
        continue
      }
      const outer = /^(?:service|message|enum) (\w+)/.exec(text)?.[1]
      const inner = /^rpc (\w+)/.exec(text)?.[1] ?? /(\w+) = \d+[ ;[]/.exec(text)?.[1]
      if (outer !== undefined) parent = outer
      const name = outer ?? (inner === undefined ? undefined : `${parent}.${inner}`)
      if (name !== undefined && pendingComments.length > 0) found.set(name, pendingComments.join(' '))
      pendingComments = []
    }
  }
  return found
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
