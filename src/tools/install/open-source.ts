import { statSync } from 'node:fs'
import { resolve } from 'node:path'

import { readPackageFiles } from '../plugins/package-files.ts'
import type { Lookup } from '../http/dial.ts'
import { archiveSource, readArchiveFile } from './archive-source.ts'
import { maxArchiveBytes } from './archive.ts'
import { download, type DownloadOptions } from './download.ts'
import { gitSource } from './git-source.ts'
import { npmSource } from './npm-source.ts'
import { refused, sourceUnavailable } from './problems.ts'
import { s3Request } from './s3-source.ts'
import { requireSha256, type ParsedSource, type ToolSource } from './source.ts'
import { createTree, writeTree } from './tree.ts'

export interface SourceParts {
  /** The base of relative paths. */
  readonly project: string
  readonly env: NodeJS.ProcessEnv
  /** Private, empty, and deleted afterwards: working folder for programs that fetch. */
  readonly work: string
  readonly onProgress?: DownloadOptions['onProgress']
  readonly lookup?: Lookup | undefined
  readonly ca?: string | undefined
}

/** The source that the user named. Its content is checked against their hash. */
export function openSource(parsed: ParsedSource, parts: SourceParts): ToolSource {
  const { sha256 } = parsed
  const { onProgress, lookup, ca } = parts
  const web = { maxBytes: maxArchiveBytes, onProgress, lookup, ca }
  switch (parsed.kind) {
    case 'path': {
      const path = resolve(parts.project, parsed.path)
      const found = statSync(path, { throwIfNoEntry: false })
      if (found === undefined) throw sourceUnavailable('there is no such file or folder')
      if (!found.isDirectory()) return archiveSource(async () => readArchiveFile(path), sha256)
      return withTreeHash(folderSource(path), sha256)
    }
    case 'url':
      return archiveSource(() => download(parsed.url, web), sha256)
    case 's3': {
      const { url, headers } = s3Request(parsed.place, parts.env, new Date())
      return archiveSource(() => download(url, { ...web, headers }), sha256)
    }
    case 'git':
      return withTreeHash(gitSource(parsed, parts), sha256)
    case 'npm':
      return npmSource(parsed, parts)
  }
}

function folderSource(folder: string): ToolSource {
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

/** A source of separate files is checked by its package hash, as shown by `ctxd tool show`. */
function withTreeHash(source: ToolSource, sha256: string | undefined): ToolSource {
  if (sha256 === undefined) return source
  return {
    async resolve() {
      const { revision, fetch } = await source.resolve()
      return {
        revision,
        async fetch(into) {
          await fetch(into)
          requireSha256(readPackageFiles(into).sha256, sha256)
        },
      }
    },
  }
}
