import type { Call } from '../../core/call.ts'
import type { TargetResolution, Catalogue, Tool } from '../../core/tool.ts'

/**
 * The call in the words of the rules: a tool, prompt or resource of another server under the name it has there. `tool` is
 * what the catalogue has under the name that was called.
 */
export function resolveTarget(
  call: Call,
  tool: Tool | undefined,
  catalogue: Pick<Catalogue, 'payloads'>,
): TargetResolution | Promise<TargetResolution> {
  switch (call.method) {
    case 'tool':
      return tool?.resolveTarget?.(call) ?? call
    case 'list':
    case 'model':
      return call
    case 'prompt':
    case 'resource':
    case 'subscribe':
    case 'unsubscribe':
      return catalogue.payloads?.resolveTarget?.(call) ?? call
  }
}
