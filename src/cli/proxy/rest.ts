/** The parts of `contextd-proxy` that are rarely needed, loaded on demand. */

import type { JsonObject } from '@contextd/shared/json/value'
import { openRemote, remotePlace, type RemoteOptions } from '../../servers/control/remote.ts'

export { startWhereAllowed } from '../../servers/local/autostart.ts'

/** Calls the contextd at `CONTEXTD_ADDR`. */
export async function callElsewhere(
  env: NodeJS.ProcessEnv,
  rpc: string,
  request: JsonObject,
  options: RemoteOptions,
): Promise<JsonObject> {
  const remote = await openRemote(remotePlace(env))
  try {
    return await remote.call(rpc, request, options)
  } finally {
    remote.close()
  }
}
