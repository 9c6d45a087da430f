import * as z from 'zod'

import { agentIdPattern, identityLevels } from '../../core/call.ts'
import { capabilityKinds } from '../../core/capability.ts'
import type { JsonObject } from '../../core/json.ts'
import { memoryScopes } from '../../core/memory-scope.ts'
import { addressPattern, namePattern } from '../../platform/glob.ts'

const emptyList = 'the list is empty; leave the key out, or name something'

const agentId = z
  .string()
  .regex(agentIdPattern, 'an agent id has 1 to 128 letters, digits, "_", ".", ":" or "-"')
const level = z.enum(identityLevels)
const name = z
  .string()
  .regex(namePattern, 'a pattern has at most one "*", at its start or end, and no "?", "[" or "]" beside it')
const address = z.string().regex(addressPattern, 'a pattern has at most one "*", at its start or end')
const capability = z
  .string()
  .regex(
    new RegExp(`^(?:${capabilityKinds.join('|')})(?::.+)?$`),
    `not a capability; valid kinds are ${capabilityKinds.join(', ')}`,
  )

const names = z.array(name).min(1, emptyList)
const access = z.strictObject({
  servers: names.optional().describe('Servers by name or pattern. Everything else asks this first.'),
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
  require: level.optional().describe('The identity level that calls of this agent must reach.'),
  allow: access.optional(),
  deny: access.optional().describe('Always stronger than allow.'),
  reveal: z
    .array(
      z.strictObject({
        tool: z.string().regex(/^[^*]+$/, 'expected the name of one tool'),
        argument: z
          .string()
          .regex(/^[^*]+$/, 'expected the name of one argument')
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
    .describe('Where a [SECRET_n] may become its value again.'),
  args: z
    .record(
      z.string().regex(/^[^*.]+\.[^*]+$/, 'expected "<server>.<tool>", without wildcards'),
      z.strictObject({
        defaults: z.record(z.string(), z.unknown()).optional().describe('Used where the caller gives none.'),
        fixed: z.record(z.string(), z.unknown()).optional().describe('Replace what the caller gives.'),
      }),
    )
    .optional()
    .describe('Arguments of this agent for single tools.'),
  memory: z.strictObject({ read: scopeList, write: scopeList }).optional(),
  limits: z
    .strictObject({
      ...callLimits,
      tokens_per_session: z.int().min(1).optional(),
      model_tokens_per_session: z
        .int()
        .min(1)
        .optional()
        .describe('Tokens of the model (input, output and cache) per session, through the model door.'),
      model_tokens_per_day: z.int().min(1).optional().describe('The same per day (UTC), in all sessions.'),
      servers: z
        .record(name, z.strictObject(callLimits))
        .optional()
        .describe('Per server (name or pattern): limits for calls there, beside those for all calls.'),
    })
    .optional(),
  justification: z.string().min(1).max(500).optional().describe('Shown to the agent with a refusal.'),
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
      .describe('Who may do what. Agents not named here may do nothing.'),
    require: z
      .strictObject({
        servers: z
          .record(name, level)
          .optional()
          .describe('Per server (name or pattern): the level to reach.'),
        tools: z
          .record(name, z.record(name, level))
          .optional()
          .describe('Per server and tool: the level to reach.'),
      })
      .optional()
      .describe('Identity levels that callers must reach, whoever they are.'),
    defaults: z
      .strictObject({
        deny_on_missing_agent: z
          .boolean()
          .optional()
          .describe(
            'Refuse callers without an identity (true, also when absent), or try the fallbacks (false).',
          ),
      })
      .optional(),
    examples: z
      .strictObject({ allow: exampleList, deny: exampleList })
      .optional()
      .describe(
        '"<agent> <server>.<tool>" lines that must come out so; checked whenever the file is loaded.',
      ),
  })
  .meta({ title: 'contextd rules' })

export type RulesDocument = z.infer<typeof rulesSchema>
export type AgentDocument = z.infer<typeof agent>
export type AccessDocument = z.infer<typeof access>
export type AgentLimits = Omit<NonNullable<AgentDocument['limits']>, 'servers'>
export type CallLimits = Pick<AgentLimits, keyof typeof callLimits>
export type Reveal = NonNullable<AgentDocument['reveal']>[number]

/** What `schema/rules.schema.json` holds, for editors. */
export function rulesJsonSchema(): JsonObject {
  return z.toJSONSchema(rulesSchema) as JsonObject
}
