/** Tables that are added at the end of our own configuration file, and taken out again one by one. */

import { stringify } from 'smol-toml'

import type { JsonObject } from '../../core/json.ts'
import { parseConfig } from '../../platform/config/load-config.ts'
import type { ClientFile } from './client-file.ts'

/** `tables` by their whole name, such as `model.providers.local`. Those in the file must not be among them. */
export function tomlTablesFile(path: string, tables: ReadonlyMap<string, JsonObject>): ClientFile {
  return {
    path,
    kind: 'toml',
    extend(text = '') {
      const added = [...tables].map(([name, values]) => `[${name}]\n${stringify(values).trimEnd()}\n`)
      const extended = [...(text === '' ? [] : [text.endsWith('\n') ? text : `${text}\n`]), ...added].join(
        '\n',
      )
      // Throws where the file says the same in another form, such as an inline table.
      parseConfig(Buffer.from(extended), path)
      return extended
    },
    clear: (text) => text,
  }
}

/** The text without the tables that were added: only those that nobody changed since. */
export function withoutTables(text: string, added: string): string {
  const tables = added.split(/^(?=\[)/m).filter((table) => table.startsWith('['))
  return tables.reduce((left, table) => {
    const block = `${table.trimEnd()}\n`
    const at = `\n${left}`.indexOf(`\n${block}`)
    if (at === -1) return left
    return left.slice(0, at).replace(/\n\n$/, '\n') + left.slice(at + block.length)
  }, text)
}
