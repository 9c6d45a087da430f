import { OWN_SERVER } from '../../core/call.ts'
import type { AgentDocument, RulesDocument } from './rules-schema.ts'

/**
 * The rules without a rules file, and for our own server of every agent whose `allow` never names it: our tools, with
 * read and write access inside the workspace, a sandboxed shell and the project's memory. No network, no secrets, no upstream
 * servers.
 */
export const builtinAgent: AgentDocument = {
  allow: {
    servers: [OWN_SERVER],
    // Relative patterns refer to the workspace, so `**` is exactly all of it.
    capabilities: ['fs:read:**', 'fs:write:**', 'shell:exec', 'memory:read', 'memory:write'],
  },
  memory: { read: ['project'], write: ['project'] },
}

export const builtinPolicy: RulesDocument = {
  agents: { main: builtinAgent, default: builtinAgent },
  defaults: { deny_on_missing_agent: false },
}
