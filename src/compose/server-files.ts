/** What the commands about MCP servers stand on: the files that name them, without starting any. */

export { importClients, type ImportClient } from '../tools/upstream/servers/client-formats.ts'
export { discoverServers } from '../tools/upstream/servers/discover-servers.ts'
export { addServer, removeServer } from '../tools/upstream/servers/edit-servers.ts'
export {
  findServers,
  importPlaces,
  type FoundServers,
  type ImportableServer,
} from '../tools/upstream/servers/import-servers.ts'
export {
  hideSecrets,
  type HiddenEntry,
  type LiteralSecret,
  type LooksSecret,
} from '../tools/upstream/servers/literal-secrets.ts'
export {
  surveyServers,
  type ServersSurvey,
  type SurveyedServer,
} from '../tools/upstream/servers/survey-servers.ts'
export { projectVariable } from '../tools/upstream/servers/variables.ts'
