import type { JsonPath } from './json-source.ts'

/** `mcpServers.db.args[0]`; keys with other characters are quoted: `mcpServers["db.main"].args`. */
export function formatJsonPath(path: JsonPath): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (/^[\w-]+$/.test(step)) text += text === '' ? step : `.${step}`
    else text += `[${JSON.stringify(step)}]`
  }
  return text === '' ? '$' : text
}
