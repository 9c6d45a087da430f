import { runCli } from '@contextd/shared/cli/output'
import type { JsonObject } from '@contextd/shared/json/value'
import { fakeIo } from '@contextd/shared/testing/cli-io'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { sandboxHere } from '../../../../../test/support/sandbox-here.ts'
import { makeTempHome, type TempHome } from '../../../../../test/support/temp-home.ts'
import { composeRuntime } from '../../../../compose.ts'
import { resultText } from '../../../../stages/audit/call-record.ts'
import { rulesCommand } from '../rules.ts'

const here = await sandboxHere()

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())
