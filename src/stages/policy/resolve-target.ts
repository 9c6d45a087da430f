import type { Call } from '../../core/call.ts'
import type { Catalogue, TargetResolution } from '../../core/tool.ts'

/**
 * The call in the words of the rules: a tool, prompt or resource of another server under the name it has there.
 */
export function resolveTarget(
  call: Call,
  catalogue: Pick<Catalogue, 'payloads'>,
): TargetResolution | Promise<TargetResolution> {
  switch (call.method) {
    case 'tool':
      return call.resolvedTool?.resolveTarget?.(call) ?? call
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
