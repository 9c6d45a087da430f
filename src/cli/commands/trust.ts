/** `ctxd trust`: trust a project's configuration files. */

import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'

import { ContextdError, missingThing } from '../../core/errors/errors.ts'
import { requireOperator } from '@contextd/shared/operator'
import type { ProjectFile, Trust } from '../../platform/trust.ts'
import type { Records } from '../../compose.ts'
import {
  newCommand,
  note,
  printJson,
  printLine,
  printTable,
  processIo,
  type CliIo,
} from '@contextd/shared/cli/output'
import { withRecords } from '../support/with-runtime.ts'

interface Options {
  readonly json?: true
  readonly list?: true
}

export function trustCommand(io: CliIo = processIo()): Command {
  return newCommand(
    'trust',
    "trust a project's configuration files as they are now",
    'ctxd trust ~/work/shop',
  )
    .argument('[path]', 'a project folder, or one file in it', '.')
    .option('--list', 'list trusted files instead')
    .action(async (path: string, options: Options) => {
      await withRecords(io, async (records) => {
        if (options.list) listTrusted(records.trust, options, io)
        else await trustProject(records, path, options, io)
      })
    })
}

function listTrusted(trust: Trust, { json }: Options, io: CliIo): void {
  const files = trust.list().map(({ path, sha256, trustedAt }) => ({
    path,
    sha256,
    trusted_at: new Date(trustedAt).toISOString(),
  }))
  if (json) printJson({ files }, io)
  else if (files.length === 0) printLine('Nothing is trusted yet.', io)
  else {
    const rows = files.map((file) => [file.path, file.sha256.slice(0, 12), file.trusted_at])
    printTable(['FILE', 'SHA-256', 'TRUSTED'], rows, io)
  }
}

type ReadableFile = Extract<ProjectFile, { bytes: Uint8Array }>

async function trustProject(
  { trust, event }: Records,
  path: string,
  { json }: Options,
  io: CliIo,
): Promise<void> {
  const { project, only } = await findProject(resolve(io.cwd, path))
  const files = trust.projectFiles(project).filter((file) => only === undefined || file.path === only)
  if (only !== undefined && files.length === 0) {
    throw new ContextdError('NOT_FOUND', {
      what: `file ${path} among those contextd reads from a project`,
      name: path,
    })
  }
  const pending = files.filter(
    (file): file is ReadableFile => file.state === 'new' || file.state === 'changed',
  )
  if (pending.length > 0) {
    await requireOperator({
      ...io,
      details: [`In ${project}:`, ...pending.map(summary)],
      question:
        pending.length === 1
          ? 'Trust this file as it is now'
          : `Trust these ${pending.length} files as they are now`,
    })
    // The bytes that were shown, not what may be there by now.
    for (const file of pending) {
      event('trust-given', { path: file.path, sha256: file.sha256 })
      trust.trust(file.path, file.bytes)
    }
  }
  for (const file of files) {
    if (file.state === 'unreadable') note(`${file.name} ${file.why} and remains ignored`, io)
  }
  if (json) printJson({ project, files: files.map(describeFile) }, io)
  else if (pending.length > 0) printLine(`Trusted: ${pending.map((file) => file.name).join(', ')}`, io)
  else if (files.some((file) => file.state === 'trusted')) printLine('All files are already trusted.', io)
  else printLine('Nothing to trust here.', io)
}

/** `new  .contextd/rules.json  12 bytes, sha256 44136fa355b3: restricts what agents may do here` */
function summary({ state, name, bytes, sha256, meaning }: ReadableFile): string {
  return `  ${state.padEnd(7)}  ${name}  (${bytes.length} bytes, sha256 ${sha256.slice(0, 12)}) ${meaning}`
}

function describeFile(file: ProjectFile): object {
  const { name, path, meaning } = file
  if (file.state === 'unreadable') return { name, path, meaning, state: file.state, why: file.why }
  const { sha256, bytes } = file
  return { name, path, meaning, state: 'trusted', was: file.state, size: bytes.length, sha256 }
}

/** The project folder, and the file in it, if one was named. */
async function findProject(path: string): Promise<{ project: string; only?: string }> {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return { project: realpathSync(path) }
  const { projectFileOf } = await import('../../platform/trust.ts')
  const place = found === undefined ? undefined : projectFileOf(path)
  if (place === undefined) throw new ContextdError('NOT_FOUND', missingThing('folder or file', path))
  return { project: place.project, only: place.path }
}
