/** What a refused call wanted from the capabilities of its agent, read from its audit record. */

import { statSync } from 'node:fs'
import { resolve } from 'node:path'

import { homeFolder } from '@contextd/shared/files/home-folder'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { CapabilityKind } from '../../../../core/capability.ts'
import type { AuditEntry } from '../../../../stages/audit/query.ts'
import type { Reveal } from '../../../../stages/policy/rules-schema.ts'
import type { FileAction } from '../../../../tools/files/path-grants.ts'
import { readTarget } from '../../../../tools/http/target.ts'
import { realPathOf } from '../../../../tools/real-path.ts'

export type Want =
  /** Absolute, with links resolved. */
  | { readonly kind: 'file'; readonly action: FileAction; readonly path: string; readonly isFolder: boolean }
  /** A command sees whole folders only, and its working folder must be in one of them. */
  | { readonly kind: 'working-folder'; readonly path: string }
  /** `address`: what the name resolves to, if that is what must be granted. */
  | {
      readonly kind: 'host'
      readonly host: string
      readonly port: number
      readonly method?: string
      readonly address?: string
    }
  | { readonly kind: 'command'; readonly command: string }
  /** Named by the refusal of a tool that the user made. */
  | { readonly kind: 'capability'; readonly capability: string }
  /** The rules that would restore the tokens in these arguments. */
  | { readonly kind: 'secrets'; readonly reveal: readonly Reveal[]; readonly args: JsonObject }

/** The capabilities of contextd's own tools that their arguments narrow. */
export function wantsOfOwnTool(
  args: JsonObject,
  { project, needs }: { readonly project: string; readonly needs: readonly CapabilityKind[] },
): Want[] {
  return needs.flatMap((kind): Want[] => {
    if (kind === 'fs:read' || kind === 'fs:write') {
      const want = fileWant(kind === 'fs:read' ? 'read' : 'write', args, project)
      // Searches start in the workspace, and show what the agent may read of it.
      return want.path === realPathOf(project) ? [] : [want]
    }
    if (kind === 'shell:exec' && typeof args.command === 'string') {
      return [{ kind: 'command', command: args.command }, folderWant(args, project)]
    }
    if (kind === 'http:fetch' && typeof args.url === 'string') return hostWant(args.url, args.method)
    return []
  })
}

function fileWant(action: FileAction, { path }: JsonObject, project: string) {
  const named = typeof path === 'string' ? expandHome(path) : '.'
  const real = realPathOf(resolve(realPathOf(project), named))
  return { kind: 'file', action, path: real, isFolder: isFolder(real) } as const
}

function folderWant({ cwd }: JsonObject, project: string): Want {
  const path = realPathOf(resolve(realPathOf(project), typeof cwd === 'string' ? cwd : '.'))
  return { kind: 'working-folder', path }
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? homeFolder() + path.slice(1) : path
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function hostWant(url: string, method: unknown): Want[] {
  const target = readTarget(url)
  if (typeof target === 'string') return []
  const named = typeof method === 'string' ? method.toUpperCase() : 'GET'
  return [{ kind: 'host', host: target.host.name, port: target.port, ...methodOf(named) }]
}

/** A grant names methods in letters. The method inside a tunnel is not visible. */
function methodOf(method: string): { method?: string } {
  return method === 'CONNECT' || !/^[A-Z]+$/.test(method) ? {} : { method }
}

/** Of a refused request, which is an event of its own. */
export function wantsOfRequest({ details }: Pick<AuditEntry, 'details'>): Want[] {
  const { host, port, method, grant } = details ?? {}
  if (typeof host !== 'string' || typeof port !== 'number') return []
  const [, named] =
    /^http:fetch:(?:[^@]*@)?(\[[^\]]*\]|[^:]*)/.exec(typeof grant === 'string' ? grant : '') ?? []
  const bare = named?.replace(/^\[(.*)\]$/s, '$1')
  return [
    {
      kind: 'host',
      host,
      port,
      ...methodOf(typeof method === 'string' ? method : 'CONNECT'),
      ...(bare !== undefined && bare !== host && { address: bare }),
    },
  ]
}

/** The capability of a user's tool: only the refusal names it. */
export function capabilitiesWanted({ agent, error, output = '' }: AuditEntry): Want[] {
  const start = `CAPABILITY_NOT_GRANTED: Agent ${agent} is not granted `
  const [first = ''] = output.split('\n', 1)
  if (error !== 'CAPABILITY_NOT_GRANTED' || !first.startsWith(start)) return []
  return [{ kind: 'capability', capability: first.slice(start.length) }]
}

/** The rules that would reveal secrets to the call, as its refusal named them. */
export function secretsWanted({ output = '' }: AuditEntry, args: JsonObject): Want[] {
  const reveal = revealIn(output)
  return reveal.length === 0 ? [] : [{ kind: 'secrets', reveal, args }]
}

function revealIn(output: string): Reveal[] {
  try {
    const error: unknown = JSON.parse(output)
    const entries = isJsonObject(error) && Array.isArray(error.reveal) ? error.reveal : []
    return entries.filter(isJsonObject).flatMap(({ tool, argument, host }): Reveal[] =>
      typeof tool === 'string'
        ? [
            {
              tool,
              ...(typeof argument === 'string' && { argument }),
              ...(typeof host === 'string' && { host }),
            },
          ]
        : [],
    )
  } catch {
    // Only the start of a long answer is stored.
    return []
  }
}

/** In words that follow the name of the tool. */
export function describeWant(want: Want): string {
  switch (want.kind) {
    case 'file':
      return `${want.action} ${want.path}`
    case 'working-folder':
      return `in ${want.path}`
    case 'host':
      return `${want.method === undefined ? '' : `${want.method} `}${want.host}:${want.port}`
    case 'command':
      return `run ${want.command}`
    case 'capability':
      return want.capability
    case 'secrets':
      return `secrets for ${[...new Set(want.reveal.map(({ tool }) => tool))].join(', ')}`
  }
}
