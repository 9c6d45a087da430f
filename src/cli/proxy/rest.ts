/** What `contextd-proxy` needs now and then, and does not load before. */

import type { JsonObject } from '@contextd/shared/json/value'
import { openRemote, remotePlace, type RemoteOptions } from '../../servers/control/remote.ts'

export { startWhereAllowed } from '../../servers/local/autostart.ts'

/** A call of the contextd that `CONTEXTD_ADDR` names. */
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
