/** Generates the part of docs/reference/api.md that describes the proto files. */

import { ScalarType, type DescField, type DescMessage, type DescMethod } from '@bufbuild/protobuf'

import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'

import { services } from '../src/servers/control/messages.ts'
import { readComments } from './openapi.ts'

export function apiDocs(): string {
  const comments = readComments()
  const shared = new Set<DescMessage>()
  const parts: string[] = []
  for (const service of services) {
    parts.push(`## ${service.name}`, comments.get(service.name) ?? '')
    for (const method of service.methods) parts.push(...methodDocs(method, comments, shared))
  }
  // Rendering a message may add the messages it contains to the set.
  const described: string[] = []
  for (const message of shared) {
    described.push(
      `### ${message.name}`,
      comments.get(message.name) ?? '',
      fieldTable(message, comments, shared),
    )
  }
  return [...parts, '## Nested messages', ...sortedParts(described)].filter(Boolean).join('\n\n')
}

function methodDocs(method: DescMethod, comments: Comments, shared: Set<DescMessage>): string[] {
  const marks = [
    ...(method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS ? [] : ['writes']),
    ...(method.methodKind === 'server_streaming' ? ['a stream'] : []),
  ]
  const description = comments.get(`${method.parent.name}.${method.name}`) ?? ''
  const requestTable = fieldTable(method.input, comments, shared)
  return [
    `### ${method.parent.name}/${method.name}`,
    marks.length === 0 ? description : `${description} (${marks.join(', ')})`,
    ...(requestTable === '' ? [] : ['Request:', requestTable]),
    method.methodKind === 'server_streaming' ? 'Each message:' : 'Response:',
    fieldTable(method.output, comments, shared),
  ]
}

type Comments = ReturnType<typeof readComments>

function fieldTable(message: DescMessage, comments: Comments, shared: Set<DescMessage>): string {
  if (message.fields.length === 0) return ''
  const rows = message.fields.map((field) => {
    const description = comments.get(`${message.name}.${field.name}`) ?? ''
    return `| \`${field.jsonName}\` | ${typeOf(field, shared)} | ${description} |`
  })
  return ['| field | type | meaning |', '|---|---|---|', ...rows].join('\n')
}

const anyJson: Readonly<Record<string, string>> = {
  'google.protobuf.Struct': 'object',
  'google.protobuf.Value': 'any JSON',
  'google.protobuf.ListValue': 'list',
}

function typeOf(field: DescField, shared: Set<DescMessage>): string {
  const one = valueType(field, shared)
  if (field.fieldKind === 'list') return `list of ${one}`
  return field.fieldKind === 'map' ? `map of text to ${one}` : one
}

function valueType(field: DescField, shared: Set<DescMessage>): string {
  const { message, scalar } = field
  if (message !== undefined) {
    const known = anyJson[message.typeName]
    if (known !== undefined) return known
    shared.add(message)
    return `[${message.name}](#${message.name.toLowerCase()})`
  }
  if (scalar === ScalarType.STRING) return 'text'
  if (scalar === ScalarType.BOOL) return 'true or false'
  return scalar === ScalarType.INT32 ? 'whole number' : 'number'
}

/** Sorts messages by name; each consists of three parts: a heading, a sentence and a table. */
function sortedParts(parts: readonly string[]): string[] {
  const partsPerMessage = 3
  const messages = Array.from({ length: parts.length / partsPerMessage }, (_, at) =>
    parts.slice(at * partsPerMessage, (at + 1) * partsPerMessage),
  )
  return messages.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)).flat()
}
