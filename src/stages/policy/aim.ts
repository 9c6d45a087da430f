import type { Call } from '../../core/call.ts'
import type { Aimed, Catalogue } from '../../core/tool.ts'

/** The call in the words of the rules: a tool, prompt or resource of another server under the name it has there. */
export function aim(
  call: Call,
  { find, payloads }: Pick<Catalogue, 'find' | 'payloads'>,
): Aimed | Promise<Aimed> {
  switch (call.method) {
    case 'tool':
      return find(call.tool)?.aim?.(call) ?? call
    case 'list':
      return call
    case 'prompt':
    case 'resource':
    case 'subscribe':
    case 'unsubscribe':
      return payloads?.aim?.(call) ?? call
  }
}
