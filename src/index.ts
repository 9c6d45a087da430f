/** The complete public surface for tool authors and embedders. Everything else may change without notice. */

export { composeRuntime, type CallRequest, type ComposeOptions, type Runtime } from './compose.ts'
export type { Call, Claims, Client, Principal } from './core/call.ts'
export { ContextdError, errorCatalogue, type ErrorCode, type ErrorObject } from './core/errors/errors.ts'
export { answer, failure, refusal, type Answer, type Refusal, type Result } from './core/result.ts'
export type { Stage } from './core/stage.ts'
export type { Tool, ToolDefinition } from './core/tool.ts'
export type { Finding, Scrubbed, ToolHost } from './core/ports.ts'
