#!/usr/bin/env node
'use strict'

/** What needs next to nothing has a program of its own, which knows when to hand over to the other. */
function programFor([first, second]) {
  const isQuick = first === '--help' || first === '-h' || (first === 'config' && second === 'get')
  return isQuick ? 'ctxd-quick.cjs' : 'ctxd.js'
}

void require('./launch.js').launch(programFor(process.argv.slice(2)))
