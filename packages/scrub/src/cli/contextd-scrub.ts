#!/usr/bin/env node
import { requireNode } from '@contextd/shared/cli/require-node'

requireNode('contextd-scrub')
const { runScrubProgram } = await import('./scrub-program.ts')
await runScrubProgram()
