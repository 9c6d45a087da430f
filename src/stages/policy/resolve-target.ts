import type { Call } from '../../core/call.ts'
import type { Catalogue, TargetResolution } from '../../core/tool.ts'

/** The call with the names that the rules use: the name of a tool, prompt or resource on its own server. */
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
