#!/usr/bin/env node
'use strict'

/** The most frequent commands have their own small bundle, which leaves what it cannot answer to the full program. */
function programFor([first, second]) {
  const isQuick = first === '--help' || first === '-h' || (first === 'config' && second === 'get')
  return isQuick ? 'ctxd-quick.cjs' : 'ctxd.js'
}

void require('./launch.js').launch(programFor(process.argv.slice(2)))
