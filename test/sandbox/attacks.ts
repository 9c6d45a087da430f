/** Every attack there is, by topic. */

import type { Attack } from './attack.ts'
import { fileAttacks } from './attacks/files.ts'
import { kernelFileAttacks } from './attacks/kernel-files.ts'
import { hiddenAttacks } from './attacks/hidden.ts'
import { leftBehindAttacks } from './attacks/left-behind.ts'
import { limitAttacks } from './attacks/limits.ts'
import { memoryAttacks } from './attacks/memory.ts'
import { namespaceAttacks } from './attacks/namespaces.ts'
import { networkAttacks } from './attacks/network.ts'
import { privilegeAttacks } from './attacks/privileges.ts'
import { processAttacks } from './attacks/processes.ts'
import { systemCallAttacks } from './attacks/system-calls.ts'
import { linkAttacks } from './attacks/workspace-links.ts'
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
  ...memoryAttacks,
  ...leftBehindAttacks,
  ...workspaceAttacks,
  ...linkAttacks,
  ...hiddenAttacks,
]
