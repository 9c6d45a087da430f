/** Every attack there is, by topic. */

import type { Attack } from './attack.ts'
import { fileAttacks } from './attacks/files.ts'
import { kernelFileAttacks } from './attacks/kernel-files.ts'
import { limitAttacks } from './attacks/limits.ts'
import { namespaceAttacks } from './attacks/namespaces.ts'
import { networkAttacks } from './attacks/network.ts'
import { privilegeAttacks } from './attacks/privileges.ts'
import { processAttacks } from './attacks/processes.ts'
import { systemCallAttacks } from './attacks/system-calls.ts'
import { workspaceAttacks } from './attacks/workspace.ts'

export const attacks: readonly Attack[] = [
  ...fileAttacks,
  ...kernelFileAttacks,
  ...namespaceAttacks,
  ...systemCallAttacks,
  ...networkAttacks,
  ...processAttacks,
  ...privilegeAttacks,
  ...limitAttacks,
  ...workspaceAttacks,
]
