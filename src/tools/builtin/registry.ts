import type { Tool } from '../../core/tool.ts'
import { readMore } from './read-more.ts'

/** Every tool that comes with contextd. A new one is a file beside this and a line here. */
export function builtinTools(): Tool[] {
  return [readMore]
}
