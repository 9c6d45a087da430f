// contextd on stdio with the tools of the door tests, as a process of its own.
import { serveMcpStdio } from '../../src/servers/mcp/stdio.ts'
import { doorFixture } from './door-fixture.ts'

await serveMcpStdio(await doorFixture(), { graceMs: 200 })
