import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { onTestFinished } from 'vitest'

import type { Call } from '../../src/core/call.ts'
import { parseCapability } from '../../src/core/capability.ts'
import { CodedError } from '../../src/core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../../src/core/ports.ts'
import type { Answer } from '../../src/core/result.ts'
import type { Tool } from '../../src/core/tool.ts'
import type { FileAccess } from '../../src/tools/files/confined-file.ts'
import { createFileTools, type FileTools } from '../../src/tools/files/file-tools.ts'
import type { ReadPdf } from '../../src/tools/files/read/pdf.ts'
import { aCall } from './calls.ts'
import { runTool } from './run-tool.ts'

/** A workspace, a folder next to it that must not be accessed, and the file tools for it. */
export interface FileSpace {
  readonly workspace: string
  readonly outside: string
  readonly notes: string
  readonly files: FileTools
  /** Below the workspace, or absolute. */
  put(path: string, content: string | Uint8Array): string
  get(path: string): string | undefined
  call(parts?: Partial<Call>, ...grants: string[]): Call
  access(...grants: string[]): FileAccess
  /** The data of the tool's result, or its error code. */
  run(tool: Tool, args: JsonObject, options?: RunOptions): Promise<JsonObject | string>
}

export interface RunOptions {
  readonly grants?: readonly string[]
  readonly call?: Partial<Call>
  readonly scrub?: ToolHost['scrub']
}

const everything = ['fs:read:**', 'fs:write:**']

/** For tests that read no PDF. */
export const noPdf: ReadPdf = async () => Promise.reject(new Error('no PDF is read'))

export function fileSpace(options: { protect?: string[]; ownFolders?: string[] } = {}): FileSpace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-files-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const [workspace, outside, home] = ['workspace', 'outside', 'home'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [workspace, outside, home]) mkdirSync(folder)
  const notes = join(root, 'state', 'writing')
  const files = createFileTools({
    hashKey: Buffer.alloc(32, 7),
    ownFolders: [join(root, 'state'), ...(options.ownFolders ?? []).map((name) => join(workspace, name))],
    protect: options.protect ?? [],
    notes,
    home,
  })
  const call = (parts: Partial<Call> = {}, ...grants: string[]): Call =>
    aCall({
      project: workspace,
      principal: { agent: 'main', level: 'default' },
      grants: (grants.length === 0 ? everything : grants).map((text) => parseCapability(text)!),
      ...parts,
    })
  return {
    workspace,
    outside,
    notes,
    files,
    put(path, content) {
      const target = join(path.startsWith('/') ? '/' : workspace, path)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, content)
      return target
    },
    get(path) {
      const target = join(path.startsWith('/') ? '/' : workspace, path)
      return existsSync(target) ? readFileSync(target, 'utf8') : undefined
    },
    call,
    access: (...grants) => files.accessFor(call({}, ...grants)),
    async run(tool, args, { grants = [], call: parts, scrub = async (text: string) => text } = {}) {
      const host = { call: call(parts, ...grants), scrub } as ToolHost
      try {
        const result = (await runTool(tool, args, host)) as Answer
        return (result.structured as { data: JsonObject }).data
      } catch (error) {
        if (error instanceof CodedError) return error.code
        throw error
      }
    },
  }
}
