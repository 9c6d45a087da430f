import type { HookDoor } from '../../src/clients/claude-code/hooks/hook.ts'
import { doorUrl } from '../../src/clients/model-door/door-url.ts'

const key = 'ctxm_00000000_0123456789'
export const testDoorUrl = doorUrl({ port: 7391, key, provider: 'anthropic' })

/** For hooks of a client without the model door. */
export const noDoor: HookDoor = {
  isExpected: false,
  open: () => Promise.reject(new Error('the door was not expected to be used')),
  startDaemon: () => Promise.reject(new Error('a daemon was not expected to be started')),
  isFirst: () => false,
}

/** A door at `testDoorUrl`. */
export const testDoor: HookDoor = {
  ...noDoor,
  open: async () => ({ port: 7391, isKey: (one) => one === key }),
  startDaemon: async () => {},
}
