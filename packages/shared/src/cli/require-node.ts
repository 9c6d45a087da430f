const minNode = [20, 19] as const

/** Ends the process if this Node is too old. Call it before importing anything that such a Node cannot load. */
export function requireNode(program: string, version = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > minNode[0] || (major === minNode[0] && minor >= minNode[1])) return
  process.stderr.write(`${program} needs Node ${minNode.join('.')} or newer; this is ${version}.\n`)
  process.exit(78)
}
