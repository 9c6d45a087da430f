import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../../src/core/ports.ts'
import type { Result } from '../../src/core/result.ts'
import type { FieldIssue, Tool } from '../../src/core/tool.ts'

/** Problems with the arguments; empty if they are valid. */
export function issuesIn(tool: Tool, args: JsonObject): readonly FieldIssue[] {
  const parsed = tool.parse?.(args)
  return parsed?.ok === false ? parsed.issues : []
}

/** Runs the tool like dispatch. */
export async function runTool(tool: Tool, args: JsonObject, host: ToolHost): Promise<Result> {
  const parsed = tool.parse?.(args) ?? { ok: true, value: args }
  if (!parsed.ok) throw new Error(`wrong arguments: ${JSON.stringify(parsed.issues)}`)
  return tool.run(parsed.value, host)
}
