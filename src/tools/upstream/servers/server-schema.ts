/** A servers file: the `mcpServers` format that many clients share, with a few keys of our own. */

import * as z from 'zod'

import type { JsonObject } from '../../../core/json.ts'
import { capabilityProblem } from '../../plugins/capability-words.ts'
import { serverNamePattern, serverNameProblem } from './server-name.ts'

const transports = ['stdio', 'http', 'streamable-http', 'sse'] as const

/** What `protocol` may say, and which side of 2026-07-28 that is. */
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

/** What a program in the sandbox can do something with. */
const capabilityKinds = ['fs:read', 'fs:write', 'http:fetch']
const capabilityWords = { error: ({ input }: { input: unknown }) => capabilityProblem(String(input)) }
const capability = z
  .string()
  .regex(new RegExp(`^(?:${capabilityKinds.join('|')})(?::.+)?$`), {
    abort: true,
    error: `a sandboxed server can be given ${capabilityKinds.join(', ')} and no other capability`,
  })
  .refine((word) => capabilityProblem(word) === undefined, capabilityWords)

/** Other programs read the same file, so what we do not know is theirs: `unknownKeys` says so without refusing it. */
const server = z
  .looseObject({
    description: z.string().optional().describe('What it is for. Agents see it in `list_servers`.'),
    type: z
      .enum(transports)
      .optional()
      .describe('How it is reached; told from `command` or `url` otherwise.'),
    transport: z.enum(transports).optional().describe('The same under another name.'),
    command: text.optional().describe('The program to start. Exactly one of `command` and `url`.'),
    args: z.array(z.string()).optional().describe('Its arguments.'),
    env: z
      .record(z.string().regex(/^[^=\0]+$/, 'not the name of a variable'), z.string())
      .optional()
      .describe('Its environment. Of ours it gets nothing but what a program needs to start.'),
    cwd: text
      .optional()
      .describe('Where it is started: seen from the folder of this file, which it also is otherwise.'),
    sandbox: z
      .looseObject({
        capabilities: z.array(capability).optional().describe('What it may reach: kind[:scope].'),
      })
      .optional()
      .describe('Start it inside the sandbox, with these capabilities and no others.'),
    url: text.optional().describe('Where it listens: http:// or https://.'),
    headers: z
      .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'not the name of a header'), z.string())
      .optional()
      .describe('Sent with every request.'),
    oauth: z
      .looseObject({ client_id: text.optional(), client_secret: text.optional(), scope: text.optional() })
      .optional()
      .describe('A client registered by hand, where the server does not let programs register themselves.'),
    protocol: z
      .enum(Object.keys(protocolEras) as (keyof typeof protocolEras)[])
      .optional()
      .describe('The revision to speak; what the server turns out to know otherwise.'),
    stateless: flag.describe('It keeps nothing between calls, so that all agents may share one connection.'),
    transparent: flag.describe('List its tools beside our own.'),
    prefix: flag.describe(
      'List them as `<server>__<tool>` (true, also when absent) or under their own names.',
    ),
    on_change: z
      .enum(['hold', 'allow'])
      .optional()
      .describe('What to do with a tool that is not the one that was pinned.'),
    timeout_ms: z.int().min(1).max(86_400_000).optional().describe('Time for one call.'),
    disabled: flag.describe('Leave it out.'),
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
  if (command !== undefined && url !== undefined)
    return [['url', 'there is a "command" already; only one of them']]
  const issues: [Key, string][] = []
  if (url !== undefined && !looksLikeUrl(url)) issues.push(['url', 'expected an http:// or https:// address'])
  for (const key of ['type', 'transport'] as const) {
    const said = { type, transport }[key]
    if (said === undefined || (said === 'stdio') === (command !== undefined)) continue
    issues.push([
      key,
      command === undefined ? 'a "url" is not reached by stdio' : 'a "command" is reached by stdio',
    ])
  }
  if (issues.length === 0 && isSse(type) !== isSse(transport) && type && transport) {
    issues.push(['transport', 'it says another thing than "type"'])
  }
  return issues
}

function isSse(transport: string | undefined): boolean {
  return transport === 'sse'
}

/** Where a variable stands in the place of the host, it is checked when it is filled in. */
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

/** The keys of a server, and of the objects in it. */
export const serverKeys: Readonly<Record<'server' | 'sandbox' | 'oauth', readonly string[]>> = {
  server: Object.keys(server.shape),
  sandbox: Object.keys(server.shape.sandbox.unwrap().shape),
  oauth: Object.keys(server.shape.oauth.unwrap().shape),
}

/** What `schema/servers.schema.json` holds, for editors. */
export function serversJsonSchema(): JsonObject {
  return z.toJSONSchema(serversSchema) as JsonObject
}
