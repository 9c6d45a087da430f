#!/usr/bin/env node
'use strict'

void require('../program.cjs').runProgram('ctxd.js')
