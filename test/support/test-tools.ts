import { join } from 'node:path'

import type { Store } from '../../src/platform/storage/store.ts'
import { createTrust } from '../../src/platform/trust.ts'
import { createInstaller, type Installer } from '../../src/tools/install/installer.ts'
import { createToolbox, type Toolbox } from '../../src/tools/plugins/toolbox.ts'

/** User operations on tools, on the store of the test. */
export function openTestTools(
  store: Store,
  { home, project }: { home: string; project: string },
): { toolbox: Toolbox; readonly installer: Installer } {
  const trust = createTrust(store, 'local', Date.now)
  const common = { store, tenant: 'local', trust, clock: Date.now, onEvent: () => {} }
  const toolbox = createToolbox({
    ...common,
    project,
    stateFolder: join(home, 'state'),
    count: (text) => text.length / 4,
    isTaken: () => false,
    limits: {
      timeMs: 30_000,
      cpuSeconds: 10,
      memoryBytes: 128 << 20,
      processes: 10,
      fileBytes: 1 << 20,
      outputBytes: 1 << 20,
      diskBytes: 1 << 20,
      diskFiles: 1000,
    },
    callTimeMs: 60_000,
  })
  return {
    toolbox,
    // Created on demand: creating it cleans up leftovers of others.
    get installer() {
      return createInstaller({ ...common, toolbox, env: {} })
    },
  }
}
