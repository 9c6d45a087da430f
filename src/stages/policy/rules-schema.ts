import * as z from 'zod'

import { agentIdPattern, identityLevels } from '../../core/call.ts'
import { capabilityKinds, scopeProblem } from '../../core/capability.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { memoryScopes } from '../../core/memory-scope.ts'
import { addressPattern, namePattern } from '../../platform/glob.ts'

const emptyList = 'the list is empty; omit the key, or add an entry'

const agentId = z
  .string()
  .regex(agentIdPattern, 'an agent id has 1 to 128 letters, digits, "_", ".", ":" or "-"')
const level = z.enum(identityLevels)
const name = z
  .string()
  .regex(namePattern, 'a pattern has at most one "*", at its start or end, and no "?", "[" or "]"')
const address = z.string().regex(addressPattern, 'a pattern has at most one "*", at its start or end')
const capability = z
  .string()
  .regex(
    new RegExp(`^(?:${capabilityKinds.join('|')})(?::.+)?$`),
    `not a capability; valid kinds are ${capabilityKinds.join(', ')}`,
  )
  .refine((text) => scopeProblem(text) === undefined, {
    error: ({ input }) => scopeProblem(input as string),
  })

const names = z.array(name).min(1, emptyList)
const access = z.strictObject({
  servers: names.optional().describe('Servers by name or pattern. Checked before everything else.'),
  tools: z.record(name, names).optional().describe('Per server (name or pattern): tools by name or pattern.'),
  capabilities: z.array(capability).min(1, emptyList).optional().describe('What tools may do: kind[:scope].'),
  prompts: z.record(name, names).optional().describe('Per server: prompts by name or pattern.'),
  resources: z
    .record(name, z.array(address).min(1, emptyList))
    .optional()
    .describe('Per server: resource addresses by name or pattern.'),
})

const scopeList = z.array(z.enum(memoryScopes)).min(1, emptyList).optional()

const callLimits = {
  calls_per_minute: z.int().min(1).max(10_000).optional(),
  concurrency: z.int().min(1).max(10_000).optional(),
  timeout_ms: z.int().min(1).max(86_400_000).optional(),
}

const agent = z.strictObject({
  aliases: z.array(agentId).min(1, emptyList).optional().describe('Names that clients use for this agent.'),
  require: level.optional().describe('Minimum identity level for calls of this agent.'),
  allow: access.optional(),
  deny: access.optional().describe('Always overrides allow.'),
  reveal: z
    .array(
      z.strictObject({
        tool: z.string().regex(/^[^*]+$/, 'expected a tool name'),
        argument: z
          .string()
          .regex(/^[^*]+$/, 'expected an argument name')
          .optional()
          .describe('Only in this argument of the tool.'),
        host: z
          .string()
          .regex(/^[A-Za-z0-9.-]+(?::\d{1,5})?$/, 'expected a host name, with or without a port')
          .optional()
          .describe('Only where every destination in the arguments is this host.'),
      }),
    )
    .min(1, emptyList)
    .optional()
    .describe('Where a [SECRET_n] may be replaced by its value.'),
  args: z
    .record(
      z.string().regex(/^[^*.]+\.[^*]+$/, 'expected "<server>.<tool>", without wildcards'),
      z.strictObject({
        defaults: z.record(z.string(), z.unknown()).optional().describe('Used if the caller passes none.'),
        fixed: z.record(z.string(), z.unknown()).optional().describe("Override the caller's."),
      }),
    )
    .optional()
    .describe('Arguments of this agent, per tool.'),
  memory: z.strictObject({ read: scopeList, write: scopeList }).optional(),
  limits: z
    .strictObject({
      ...callLimits,
      tokens_per_session: z.int().min(1).optional(),
      command_seconds: z
        .int()
        .min(1)
        .max(86_400)
        .optional()
        .describe('Max seconds that a call may request for a command; 600 if absent.'),
      model_tokens_per_session: z
        .int()
        .min(1)
        .optional()
        .describe('Model tokens (input, output and cache) per session, through the model door.'),
      model_tokens_per_day: z.int().min(1).optional().describe('The same per day (UTC), over all sessions.'),
      servers: z
        .record(name, z.strictObject(callLimits))
        .optional()
        .describe('Per server (name or pattern): limits in addition to those for all calls.'),
    })
    .optional(),
  justification: z.string().min(1).max(500).optional().describe('Shown to the agent when a call is denied.'),
})

const exampleList = z
  .array(z.string().regex(/^\S+ [^\s.]+\.\S+$/, 'expected "<agent> <server>.<tool>"'))
  .min(1, emptyList)
  .optional()

export const rulesSchema = z
  .strictObject({
    $schema: z.string().optional(),
    agents: z
      .record(agentId, agent)
      .optional()
      .describe('Permissions by agent. Agents not listed may do nothing.'),
    require: z
      .strictObject({
        servers: z
          .record(name, level)
          .optional()
          .describe('Per server (name or pattern): the minimum level.'),
        tools: z
          .record(name, z.record(name, level))
          .optional()
          .describe('Per server and tool: the minimum level.'),
      })
      .optional()
      .describe('Minimum identity levels for all callers.'),
    defaults: z
      .strictObject({
        deny_on_missing_agent: z
          .boolean()
          .optional()
          .describe('Deny callers without an identity (true, the default), or try the fallbacks (false).'),
      })
      .optional(),
    examples: z
      .strictObject({ allow: exampleList, deny: exampleList })
      .optional()
      .describe('"<agent> <server>.<tool>" lines with the expected decision; checked on every load.'),
  })
  .meta({ title: 'contextd rules' })

export type RulesDocument = z.infer<typeof rulesSchema>
export type AgentDocument = z.infer<typeof agent>
export type AccessDocument = z.infer<typeof access>
export type AgentLimits = Omit<NonNullable<AgentDocument['limits']>, 'servers'>
export type CallLimits = Pick<AgentLimits, keyof typeof callLimits>
export type Reveal = NonNullable<AgentDocument['reveal']>[number]

/** Content of `schema/rules.schema.json`, for editors. */
export function rulesJsonSchema(): JsonObject {
  return z.toJSONSchema(rulesSchema) as JsonObject
}
