// contextd on stdio with the tools of the transport tests, as a separate process.
import { serveMcpStdio } from '../../src/servers/mcp/stdio.ts'
import { doorFixture } from './door-fixture.ts'

await serveMcpStdio(await doorFixture(), { graceMs: 200 })
