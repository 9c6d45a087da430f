/** Linux only, and not named by Node: a place in the tree and nothing else. No pipe waits for it, no device notices. */
export const O_PATH = 0o10_000_000
