#!/usr/bin/env node
import { launch } from './launch.js'

/** A client waits for its hooks at every use of a tool, and for its shell: they have programs of their own. */
function programFor([command, hook = '']) {
  if (command !== 'hook' || !/^[a-z]/.test(hook)) return 'contextd'
  return hook === 'shell' || hook === 'shell-rest' ? 'hook-shell' : 'hook'
}

await launch(programFor(process.argv.slice(2)))
