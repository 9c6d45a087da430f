#!/usr/bin/env node
'use strict'

/** Clients wait for their hooks at every use of a tool, and for their shell, so both have their own small bundles. */
function programFor([command, hook = '']) {
  if (command !== 'hook' || !/^[a-z]/.test(hook)) return 'contextd.js'
  return hook === 'shell' || hook === 'shell-rest' ? 'hook-shell.cjs' : 'hook.cjs'
}

void require('./launch.js').launch(programFor(process.argv.slice(2)))
