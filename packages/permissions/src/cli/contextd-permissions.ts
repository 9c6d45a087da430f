#!/usr/bin/env node
import { requireNode } from '@contextd/shared/cli/require-node'

requireNode('contextd-permissions')
const { runPermissionsProgram } = await import('./permissions-program.ts')
await runPermissionsProgram()
