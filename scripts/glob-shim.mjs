// The conformance suite imports `globSync` of node:fs, which Node 20 does not have, for a command that we do not use.
// Loaded with --import, this removes the name from its imports, so that the rest of the suite runs.
import fs from 'node:fs'
import { register } from 'node:module'

export async function load(url, context, next) {
  const loaded = await next(url, context)
  if (!url.endsWith('/conformance/dist/index.js')) return loaded
  const source = String(loaded.source)
  const name = /\bglobSync as (\w+),/.exec(source)?.[1]
  if (name === undefined) return loaded
  return { ...loaded, source: `${source.replace(`globSync as ${name},`, '')}\nvar ${name} = () => []` }
}

if (fs.globSync === undefined) register(import.meta.url)
