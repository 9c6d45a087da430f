import type { Capability } from './capability.ts'
import type { JsonObject } from './json.ts'
import type { ToolHost } from './ports.ts'
import type { Result } from './result.ts'

/** What `tools/list` shows. */
export interface ToolDefinition {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: JsonObject
  readonly _meta?: JsonObject
}

export interface FieldIssue {
  /** Path of the argument, such as `offset` or `env.PATH`. */
  readonly field: string
  readonly expected: string
}

/** What the dispatch stage calls. Made by `defineTool`, or by whoever brings tools of another kind. */
export interface Tool {
  readonly definition: ToolDefinition
  /** The server it belongs to in the rules. */
  readonly server: string
  /** What the caller must be granted before the tool is even listed. */
  readonly needs: readonly Capability['kind'][]
  /** Open to every identified agent: what it shows and does is decided by other rules. */
  readonly open?: boolean
  /** Still works when the budget is used up. */
  readonly free?: boolean
  /** Tokens one answer may have; the configured default where absent. */
  readonly maxTokens?: number
  /** Keep the start of a long answer, or start and end. */
  readonly keep?: 'head' | 'head-and-tail'
  /** Arguments that pass, or what is wrong with them. Nothing runs on a failed check. */
  check(args: JsonObject): readonly FieldIssue[]
  run(args: JsonObject, host: ToolHost): Promise<Result>
}

/** Prompts and resources, for hosts that offer them. */
export interface PayloadSource {
  readonly lists: Readonly<Record<string, readonly JsonObject[]>>
  prompt(name: string, args: JsonObject, host: ToolHost): Promise<Result>
  resource(uri: string, host: ToolHost): Promise<Result>
  /** Calls back with the address of a resource that changed, or without one when a list did; answers how to stop. */
  onChanged?(listener: (uri?: string) => void): () => void
}

/** What can be called right now, in a stable order. */
export interface Catalogue {
  tools(): readonly Tool[]
  find(name: string): Tool | undefined
  readonly payloads?: PayloadSource
}
