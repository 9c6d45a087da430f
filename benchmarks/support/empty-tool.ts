import { answer } from '../../src/core/result.ts'
import type { Tool } from '../../src/core/tool.ts'

export const emptyTool: Tool = {
  definition: { name: 'hello', description: 'Says hello', inputSchema: { type: 'object' } },
  server: 'contextd',
  needs: [],
  run: async () => answer('hello'),
}
