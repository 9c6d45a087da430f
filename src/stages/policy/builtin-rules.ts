import { OWN_SERVER } from '../../core/call.ts'
import type { AgentDocument, RulesDocument } from './rules-schema.ts'

/**
 * What holds where there is no rules file, and for our own server where a rules file never names it: our tools, with
 * read and write inside the workspace, a sandboxed shell and the project's memory. No network, no secrets, no upstream.
 */
export const builtinAgent: AgentDocument = {
  allow: {
    servers: [OWN_SERVER],
    // Patterns that are not absolute are relative to the workspace, so `**` is all of it and nothing else.
    capabilities: ['fs:read:**', 'fs:write:**', 'shell:exec', 'memory:read', 'memory:write'],
  },
  memory: { read: ['project'], write: ['project'] },
}

export const builtinPolicy: RulesDocument = {
  agents: { main: builtinAgent, default: builtinAgent },
  defaults: { deny_on_missing_agent: false },
}
