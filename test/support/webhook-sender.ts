// Delivers pending webhook events of a home until it is killed.
import { composeRuntime } from '../../src/compose.ts'
import { startWebhooks } from '../../src/servers/webhooks/open-webhooks.ts'

const runtime = await composeRuntime({ env: process.env, cwd: process.cwd(), log: () => {} })
startWebhooks(runtime)
// The timer of the sender does not keep the process alive.
setInterval(() => {}, 1000)
