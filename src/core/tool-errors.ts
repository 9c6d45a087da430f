import type { CatalogueEntry } from './catalogue-entry.ts'

/** The part of the catalogue about what tools touch: programs, files, hosts, secrets. */
export const toolErrors = {
  SECRET_NOT_REVEALED: {
    message:
      '{tool} may not write the secret that {tokens} represents, and would write the token in its place',
    jsonrpc: -32006,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 16,
    hint: 'Write the rest without the token. Where the file contains the secret already, its token is restored automatically; elsewhere the user needs a `reveal` rule for the tool and `secret:reveal` for the agent.',
  },
  SECRET_TOKEN_IN_ARGUMENT: {
    message:
      '{tool} did not run: it may not have the secret that {tokens} represents, and would use the token in its place',
    jsonrpc: -32006,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 16,
    hint: 'Leave the token out. Files that contain the secret are changed with safe_write, which restores it there; anything else needs a `reveal` rule for the tool and `secret:reveal` for the agent.',
  },
  SANDBOX_UNAVAILABLE: {
    message: 'Code cannot be run: {cause}',
    jsonrpc: -32010,
    grpc: 'FAILED_PRECONDITION',
    http: 503,
    exit: 20,
    hint: 'Run `ctxd doctor`: it says what is missing and how to install it.',
  },
  PATH_NOT_GRANTED: {
    message: 'There is no such path among those agent {agent} may {action}',
    jsonrpc: -32006,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 16,
    hint: 'Check the path: it is seen from the workspace. What lies elsewhere must be granted under `allow.capabilities` of the agent.',
  },
  PATH_PROTECTED: {
    message: 'Agents do not write this file: {reason}',
    jsonrpc: -32006,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 16,
    hint: 'Tell the user what to change in it. They can permit it with a rule that names the path, such as `fs:write:.vscode/**`.',
  },
  FILE_UNSUITABLE: {
    message: 'The file cannot be used: it {problem}',
    jsonrpc: -32019,
    grpc: 'FAILED_PRECONDITION',
    http: 422,
    exit: 24,
    hint: 'Use a regular file within the limits.',
  },
  FILE_CHANGED: {
    message: 'The file changed since it was read, and nothing was written',
    jsonrpc: -32019,
    grpc: 'FAILED_PRECONDITION',
    http: 409,
    exit: 24,
    hint: 'Read it again, apply your change to what is there now, and write that.',
  },
  HOST_NOT_GRANTED: {
    message: 'Agent {agent} may not reach this address: {reason}',
    jsonrpc: -32006,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 16,
    hint: 'Use another source, or ask the person to grant the host: `http:fetch:<host>` under `allow.capabilities` of the agent.',
  },
  FETCH_FAILED: {
    message: 'The request failed: {cause}',
    jsonrpc: -32001,
    grpc: 'UNAVAILABLE',
    http: 502,
    exit: 11,
    hint: 'Check the address, and that the server answers.',
  },
  TOOL_PACKAGE_INVALID: {
    message: 'The tool package {name} cannot be used: {problem}',
    jsonrpc: -32019,
    grpc: 'FAILED_PRECONDITION',
    http: 422,
    exit: 24,
    hint: 'docs/reference/tool-package.md describes the format; `ctxd tool show` names every problem.',
  },
} as const satisfies Record<string, CatalogueEntry>
