const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The address of a server of ours to talk to, or what is wrong with it. Without encryption only on this machine: texts and
 * keys go there.
 */
export function serverUrl(address: string): URL | { readonly problem: string } {
  if (!URL.canParse(address)) return { problem: 'is no address such as http://127.0.0.1:11434' }
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: 'is neither http nor https' }
  if (url.username !== '' || url.password !== '') return { problem: 'has a name or a key in it' }
  if (url.protocol === 'http:' && !loopbackHosts.has(url.hostname)) {
    return { problem: 'is on another machine and not encrypted: use https' }
  }
  url.search = ''
  url.hash = ''
  return url
}

/** The same with more behind its path. */
export function below(url: URL, path: string): URL {
  const longer = new URL(url)
  longer.pathname = url.pathname.replace(/(?<!\/)\/+$/, '') + path
  return longer
}
