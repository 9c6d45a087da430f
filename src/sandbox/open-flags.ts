/**
 * Linux only, and not defined by Node: refers to a path without opening it. Does not block on a pipe or trigger a
 * device.
 */
export const O_PATH = 0o10_000_000
