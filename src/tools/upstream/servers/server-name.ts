/** Valid server names. They are used in rules, commands and listed tool names. */

import { CONTROL_SERVER, OWN_SERVER } from '../../../core/call.ts'

/** The name as used in listed tool names, in which clients allow fewer characters. */
export function listedServerName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_')
}

export const serverNamePattern = /^[A-Za-z0-9_.-]{1,40}$/

/** Why the name is invalid; undefined if it is valid. */
export function serverNameProblem(name: string): string | undefined {
  if (!serverNamePattern.test(name)) {
    return 'a server name has 1 to 40 letters, digits, "_", "." or "-"'
  }
  // `__` separates server and tool in listed names, so the boundary must be unambiguous.
  if (/__|_$/.test(listedServerName(name))) {
    return 'a server name has no two of "_" and "." side by side and does not end with one'
  }
  const isTaken = name === OWN_SERVER || name === CONTROL_SERVER
  return isTaken ? `the name ${name} is taken by contextd itself` : undefined
}
