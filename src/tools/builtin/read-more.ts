import * as z from 'zod'

import { answer } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import type { ReadPrivate } from '../broker/load-context.ts'
import { isPrivateRef } from '../broker/private-refs.ts'
import { alwaysLoad, defineTool } from '../define-tool.ts'

// Not in the schema, which costs every model tokens in every session.
const offset = z.int().refine((byte) => byte >= 0, 'at least 0')

/** Open, because a ref is valid only for the session and agent that received it; budgeted, because its text costs like any other. */
export function createReadMore(readPrivate: ReadPrivate): Tool {
  return defineTool({
    name: 'read_more',
    description: 'Reads the rest of a shortened answer: pass its ref and offset.',
    input: z.object({ ref: z.string(), offset: offset.optional() }),
    open: true,
    annotations: { readOnlyHint: true },
    _meta: alwaysLoad,
    async run({ ref, offset = 0 }, host) {
      if (isPrivateRef(ref)) return readPrivate(host.call, ref, offset)
      const { text, next, total } = host.refs.read(ref, offset)
      const to = next ?? total
      return answer(text, { slice: { ref, from: to - Buffer.byteLength(text), to, total } })
    },
  })
}
