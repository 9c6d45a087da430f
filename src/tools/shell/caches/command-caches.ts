/** The caches that commands get, by the grants of their call. */

import { setTimeout as sleep } from 'node:timers/promises'

import { callerName, type Call } from '../../../core/call.ts'
import { cacheKinds, type CacheKind, type Capability } from '../../../core/capability.ts'
import type { CacheMount } from '../../../sandbox/sandbox.ts'
import { useCache, type StoredCache } from './cache-store.ts'
import { trimCaches, type RemovalParts } from './remove-cache.ts'

export interface CommandCaches {
  /** `project` is the workspace with links resolved. */
  open(call: Call, project: string): OpenCaches
  close(): Promise<void>
}

export interface OpenCaches {
  readonly mounts: readonly CacheMount[]
  /** Called when the command has ended. */
  release(): void
}

export interface CommandCachesOptions extends RemovalParts {
  readonly maxBytes: number
  readonly onRemoved: (cache: StoredCache) => void
  readonly onFailure: (error: unknown) => void
}

/** Measuring uses at most a twentieth of the time. */
const pauseFactor = 20

export function createCommandCaches({
  maxBytes,
  onRemoved,
  onFailure,
  ...parts
}: CommandCachesOptions): CommandCaches {
  const closing = new AbortController()
  const { signal } = closing
  let trimming: Promise<void> | undefined
  let isDue = false
  let pauseMs = 0

  const trim = async (): Promise<void> => {
    while (isDue && !signal.aborted) {
      try {
        await sleep(pauseMs, undefined, { ref: false, signal })
        isDue = false
        const began = performance.now()
        const removed = await trimCaches(maxBytes, { ...parts, signal })
        removed.forEach(onRemoved)
        pauseMs = (performance.now() - began) * pauseFactor
      } catch (error) {
        if (!signal.aborted) onFailure(error)
      }
    }
    trimming = undefined
  }

  return {
    open(call, project) {
      const { tenant, grants } = call
      const agent = callerName(call)
      const opened: ReturnType<typeof useCache>[] = []
      const release = (): void => opened.forEach((cache) => cache.release())
      try {
        for (const kind of grantedCaches(grants))
          opened.push(useCache(parts.root, { kind, tenant, project, agent }))
      } catch (error) {
        release()
        throw error
      }
      return {
        mounts: opened.flatMap(({ mounts }) => mounts),
        release() {
          release()
          if (opened.length === 0) return
          isDue = true
          trimming ??= trim()
        },
      }
    },
    async close() {
      closing.abort()
      await trimming
    },
  }
}

function grantedCaches(grants: readonly Capability[]): CacheKind[] {
  return cacheKinds.filter((wanted) =>
    grants.some(
      ({ kind, scope = wanted, except = [] }) =>
        kind === 'shell:cache' && scope === wanted && !except.includes(wanted),
    ),
  )
}
