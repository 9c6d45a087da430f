/**
 * The files that `ctxd init --tools` writes: for each tool a folder with its schema, a description, and the link
 * that runs it.
 */

import { basename, join } from 'node:path'

import { linkFile, ownFile, personal, type ClientFile } from '../init/client-file.ts'
import { aboutText, linkedTools, schemaText } from './tools.ts'

/** `folder` is the client's; `program` is the path of `contextd-proxy` on this machine, so the files are personal. */
export function toolLinkFiles(folder: string, program: string): ClientFile[] {
  return linkedTools.flatMap((tool) => {
    const place = join(folder, 'tools', tool.name)
    const [schema, about] = [schemaText(tool), aboutText(tool)]
    return [
      ownFile(join(place, 'schema.json'), () => schema, schema),
      ownFile(join(place, 'TOOL.md'), () => about, about),
      linkFile(join(place, tool.name), program, isProxy),
    ].map((file) => personal(file, place))
  })
}

/** Including one that was installed elsewhere. */
function isProxy(target: string): boolean {
  return /^contextd-proxy(?:\.js)?$/.test(basename(target))
}
