/** A tool in a folder of this machine. */

import { readPackageFiles } from '../plugins/package-files.ts'
import { refused } from './problems.ts'
import type { ToolSource } from './source.ts'
import { createTree, writeTree } from './tree.ts'

export function folderSource(folder: string): ToolSource {
  return {
    async resolve() {
      const { files, problems, sha256 } = readPackageFiles(folder)
      if (problems.length > 0) throw refused(problems.join('\n'))
      return {
        revision: `sha256:${sha256}`,
        async fetch(into) {
          const tree = createTree()
          for (const { path, bytes, executable } of files)
            tree.admit({ path, kind: 'file', size: bytes.length, mode: executable ? 0o755 : 0o644 })(bytes)
          writeTree(into, tree.files())
        },
      }
    },
  }
}
