/** What the commands about private context stand on: the map of keys, without a call. */

export { addContext } from '../tools/broker/add-context.ts'
export {
  checkContexts,
  listContexts,
  type ContextRemark,
  type ListedContext,
} from '../tools/broker/check-contexts.ts'
export { linesOfKeys } from '../tools/broker/context-map.ts'
export { hashOfKey, recordOfHash } from '../tools/broker/key-hash.ts'
export { readMapFile, type MapFile } from '../tools/broker/map-file.ts'
export { readMarkdownFile } from '../tools/broker/markdown-file.ts'
