/**
 * Text that outlives its session is scrubbed and stripped of hidden characters when it is stored and when it is read.
 */

import type { LastingText, ToolHost } from '../core/ports.ts'
import { withoutHidden } from './hidden-characters.ts'

/**
 * Hidden characters are removed before scrubbing, because they may split a secret, and again when reading, because
 * older stores may still contain some.
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
