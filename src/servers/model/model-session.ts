/** The session, project and folder that a model request belongs to. */

import { randomUUID } from 'node:crypto'
import { realpathSync } from 'node:fs'

import { LOCAL_TENANT } from '../../core/call.ts'
import { createSessions } from '../../platform/sessions.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { AdmittedModelRequest } from './admit.ts'
import type { ModelCaller } from './request.ts'

export interface ModelSession {
  readonly session: string
  /** Both undefined if unknown. */
  readonly project: string | undefined
  readonly folder: string | undefined
}

export function joinModelSession(
  store: Store,
  { key }: AdmittedModelRequest,
  { clientSession = `model-key:${key.id}`, folder = '' }: ModelCaller,
): ModelSession {
  const works = realFolder(folder)
  const owner = { tenant: LOCAL_TENANT, project: works ?? '' }
  const sessions = createSessions(store, owner, Date.now, randomUUID)
  const session = sessions.join({ name: key.client, version: '', door: 'http' }, clientSession)
  const project = realFolder(sessions.projectOf(session))
  return { session, project, folder: works ?? project }
}

/** By its real path, as hooks know it. A folder that was removed has no rules any more. */
function realFolder(folder: string): string | undefined {
  try {
    return folder === '' ? undefined : realpathSync(folder)
  } catch {
    return undefined
  }
}
