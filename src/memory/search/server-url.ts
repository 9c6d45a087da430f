const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The URL of a configured server, or what is wrong with it. Unencrypted connections are only allowed to this machine,
 * because texts and keys are sent.
 */
export function serverUrl(address: string): URL | { readonly problem: string } {
  if (!URL.canParse(address)) return { problem: 'is not a URL such as http://127.0.0.1:11434' }
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: 'is neither http nor https' }
  if (url.username !== '' || url.password !== '') return { problem: 'contains a user name or password' }
  if (url.protocol === 'http:' && !loopbackHosts.has(url.hostname)) {
    return { problem: 'is on another machine and not encrypted: use https' }
  }
  url.search = ''
  url.hash = ''
  return url
}

/** The URL with `path` appended. */
export function below(url: URL, path: string): URL {
  const longer = new URL(url)
  longer.pathname = url.pathname.replace(/(?<!\/)\/+$/, '') + path
  return longer
}
