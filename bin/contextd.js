#!/usr/bin/env node
'use strict'

void require('./launch.js').launch()
