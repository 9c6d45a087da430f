/** Text that outlives its session goes in scrubbed and without what does not show, and comes out so too. */

import type { LastingText, ToolHost } from '../core/ports.ts'
import { withoutHidden } from './hidden-characters.ts'

/**
 * Taken out before it is scrubbed: a secret may be cut by what does not show. Taken out again when it is read, as the
 * store has texts from before this was so.
 */
export function lastingTextIn(
  session: string,
  lasting: LastingText,
  scrub: (text: string) => string,
): Pick<ToolHost, 'archive' | 'recall'> {
  return {
    archive: (text) => lasting.archive(scrub(withoutHidden(text)), session),
    recall: (text) => withoutHidden(lasting.recall(text, session)),
  }
}
