/** One place for the number that clients, logs and `--version` show; a test holds it equal to package.json. */
export const VERSION = '0.1.0'
