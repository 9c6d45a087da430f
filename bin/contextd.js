#!/usr/bin/env node
'use strict'

/** A client waits for its hooks at every use of a tool, and for its shell: they have programs of their own. */
function programFor([command, hook = '']) {
  if (command !== 'hook' || !/^[a-z]/.test(hook)) return 'contextd.js'
  return hook === 'shell' || hook === 'shell-rest' ? 'hook-shell.cjs' : 'hook.cjs'
}

void require('./launch.js').launch(programFor(process.argv.slice(2)))
