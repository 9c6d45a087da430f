/** The schema of a servers file: the `mcpServers` format that many clients share, with a few additional keys. */

import * as z from 'zod'

import type { JsonObject } from '@contextd/shared/json/value'
import { capabilityProblem } from '../../plugins/capability-words.ts'
import { serverNamePattern, serverNameProblem } from './server-name.ts'

const transports = ['stdio', 'http', 'streamable-http', 'sse'] as const

/** The values of `protocol`, and which side of 2026-07-28 they are on. */
export const protocolEras = {
  auto: 'auto',
  '2024-10-07': 'legacy',
  '2024-11-05': 'legacy',
  '2025-03-26': 'legacy',
  '2025-06-18': 'legacy',
  '2025-11-25': 'legacy',
  '2026-07-28': 'modern',
} as const

const text = z.string().regex(/./, 'the text is empty')
const flag = z.boolean().optional()

/** Capabilities that make sense for a program in the sandbox. */
const capabilityKinds = ['fs:read', 'fs:write', 'http:fetch']
const capabilityWords = { error: ({ input }: { input: unknown }) => capabilityProblem(String(input)) }
const capability = z
  .string()
  .regex(new RegExp(`^(?:${capabilityKinds.join('|')})(?::.+)?$`), {
    abort: true,
    error: `a sandboxed server can only have ${capabilityKinds.join(', ')}`,
  })
  .refine((word) => capabilityProblem(word) === undefined, capabilityWords)

/** Other programs read the same file, so unknown keys may be theirs: `unknownKeys` reports them without an error. */
const server = z
  .looseObject({
    description: z.string().optional().describe('Purpose of the server. Agents see it in `list_servers`.'),
    type: z.enum(transports).optional().describe('Transport; by default inferred from `command` or `url`.'),
    transport: z.enum(transports).optional().describe('Alias of `type`.'),
    command: text.optional().describe('The program to start. Exactly one of `command` and `url`.'),
    args: z.array(z.string()).optional().describe('Its arguments.'),
    env: z
      .record(z.string().regex(/^[^=\0]+$/, 'not a variable name'), z.string())
      .optional()
      .describe('Its environment. From ours it inherits only what a program needs to start.'),
    cwd: text.optional().describe("Working directory, relative to this file's folder, which is the default."),
    sandbox: z
      .looseObject({
        capabilities: z.array(capability).optional().describe('What it may access: kind[:scope].'),
      })
      .optional()
      .describe('Start it in the sandbox, with only these capabilities.'),
    url: text.optional().describe('Its http:// or https:// URL.'),
    headers: z
      .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'not a header name'), z.string())
      .optional()
      .describe('Sent with every request.'),
    oauth: z
      .looseObject({ client_id: text.optional(), client_secret: text.optional(), scope: text.optional() })
      .optional()
      .describe('A manually registered client, if the server has no dynamic client registration.'),
    protocol: z
      .enum(Object.keys(protocolEras) as (keyof typeof protocolEras)[])
      .optional()
      .describe('Protocol revision; negotiated by default.'),
    stateless: flag.describe('Keeps no state between calls, so all agents may share one connection.'),
    transparent: flag.describe('List its tools next to our own.'),
    prefix: flag.describe('List them as `<server>__<tool>` (true, the default) or under their own names.'),
    on_change: z
      .enum(['hold', 'allow'])
      .optional()
      .describe('What to do with a tool that differs from the pinned one.'),
    timeout_ms: z.int().min(1).max(86_400_000).optional().describe('Timeout of one call.'),
    disabled: flag.describe('Ignore this server.'),
  })
  .superRefine((entry, context) => {
    for (const [key, message] of transportIssues(entry)) {
      context.addIssue({ code: 'custom', path: key === undefined ? [] : [key], message })
    }
  })

export type ServerDocument = z.infer<typeof server>
type Key = keyof typeof server.shape

function transportIssues({
  command,
  url,
  type,
  transport,
}: ServerDocument): [key: Key | undefined, message: string][] {
  if (command === undefined && url === undefined) return [[undefined, 'expected "command" or "url"']]
  if (command !== undefined && url !== undefined) return [['url', 'expected "command" or "url", not both']]
  const issues: [Key, string][] = []
  if (url !== undefined && !looksLikeUrl(url)) issues.push(['url', 'expected an http:// or https:// URL'])
  for (const key of ['type', 'transport'] as const) {
    const value = { type, transport }[key]
    if (value === undefined || (value === 'stdio') === (command !== undefined)) continue
    issues.push([key, command === undefined ? 'a "url" does not use stdio' : 'a "command" uses stdio'])
  }
  if (issues.length === 0 && isSse(type) !== isSse(transport) && type && transport) {
    issues.push(['transport', 'contradicts "type"'])
  }
  return issues
}

function isSse(transport: string | undefined): boolean {
  return transport === 'sse'
}

/** A variable at the start is checked once it is expanded. */
function looksLikeUrl(url: string): boolean {
  return url.startsWith('${') || isHttpUrl(url.replace(/\$\{[^{}]*\}/g, '1'))
}

export function isHttpUrl(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

const nameWords = { error: ({ input }: { input: unknown }) => serverNameProblem(String(input)) }
const name = z
  .string()
  .regex(serverNamePattern, { abort: true, ...nameWords })
  .refine((word) => serverNameProblem(word) === undefined, nameWords)

export const serversSchema = z
  .looseObject({
    $schema: z.string().optional(),
    mcpServers: z.record(name, server).describe('The servers by name.'),
  })
  .meta({ title: 'contextd servers' })

/** The known keys of a server and its nested objects. */
export const serverKeys: Readonly<Record<'server' | 'sandbox' | 'oauth', readonly string[]>> = {
  server: Object.keys(server.shape),
  sandbox: Object.keys(server.shape.sandbox.unwrap().shape),
  oauth: Object.keys(server.shape.oauth.unwrap().shape),
}

/** The content of `schema/servers.schema.json`, for editors. */
export function serversJsonSchema(): JsonObject {
  return z.toJSONSchema(serversSchema) as JsonObject
}
