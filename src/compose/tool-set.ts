/**
 * Everything that can be called: our own tools, user-made tools, tools of other servers; and state that outlives a
 * session.
 */

import type { Catalogue, Tool } from '../core/tool.ts'
import { createAccess } from '../stages/policy/access.ts'
import { lostPermission } from '../stages/policy/lost-permission.ts'
import { isBuiltin } from '../tools/builtin/registry.ts'
import { createCatalogue } from './catalogue.ts'
import { openFiles } from './files.ts'
import type { Foundation } from './foundation.ts'
import { openMemory, type OpenMemory } from './memory/memory.ts'
import type { ComposeOptions } from './runtime.ts'
import { openTools, type OpenTools } from './tools.ts'
import { openUpstream, type OpenUpstream } from './upstream/upstream.ts'

export interface ToolSet {
  readonly memory: OpenMemory
  readonly tools: OpenTools
  readonly upstream: OpenUpstream
  readonly catalogue: Catalogue
  /** Our own tools; the gateway's only if there are servers. */
  ownTools(): readonly Tool[]
}

export function openToolSet(base: Foundation, options: ComposeOptions): ToolSet {
  const { scrubber, checks, secrets, privacy } = base
  const extraTools = options.tools ?? []
  const isExtra = (name: string): boolean => extraTools.some(({ definition }) => definition.name === name)
  const files = openFiles(base)
  const memory = openMemory({
    ...base,
    rules: base.rules.current,
    files: files.files,
    secret: secrets.named,
    texts: { scrub: scrubber.scrub, check: checks.check, privacy, lasting: secrets },
  })
  const tools = openTools({
    ...base,
    ...files,
    memory: memory.tools,
    isExtra,
    refusedBecause: (call) => lostPermission(base.rules.current(), call),
    onEvent: base.recordToolEvent,
  })
  base.rules.onChange(tools.commands.endRefused)
  const upstream = openUpstream({
    ...base,
    access: createAccess(base.rules.current),
    secret: secrets.named,
    startConfined: tools.startConfined,
    scrub: base.scrubForLog,
    transparent: options.transparent === true,
    isReserved: (name) => isBuiltin(name) || isExtra(name) || tools.user.find(name) !== undefined,
    onEvent: base.recordFileEvent,
  })
  const { gateway } = upstream
  const builtin = [...tools.builtin, ...gateway.tools]
  const catalogue = createCatalogue(
    [...builtin, ...extraTools],
    tools.user,
    gateway,
    () => options.payloads ?? gateway.payloads(),
  )
  const ownTools = (): readonly Tool[] => (upstream.health().length === 0 ? tools.builtin : builtin)
  return { memory, tools, upstream, catalogue, ownTools }
}
