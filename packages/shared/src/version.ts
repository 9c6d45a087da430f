/** The version shown by clients, logs and `--version`. A test checks that it matches package.json. */
export const VERSION = '0.1.0'
