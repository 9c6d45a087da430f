// Writes the generated files of the Claude Code plugin.
import { writeFileSync } from 'node:fs'

import { pluginFiles } from './plugin-files.ts'

for (const [path, text] of pluginFiles()) writeFileSync(path, text)
