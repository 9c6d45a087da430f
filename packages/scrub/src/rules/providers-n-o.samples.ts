import type { RuleSamples } from '@contextd/shared/testing/secret-samples'

export const samplesNO: RuleSamples = {
  'nango-secret-key': { secret: ['TOKEN=«nango_secret_{alnum:40}»'], clean: ['nango_secret_key'] },
  'nasdaq-data-link-api-key': {
    secret: ['export QUANDL_API_KEY=«{word:20}»'],
    clean: ['quandl_api_key: {word:19}', 'quandl_api_key = os.environ["QUANDL_API_KEY"]'],
  },
  'neon-api-key': {
    secret: ['curl -H "Authorization: Bearer «napi_{lower:64}»" https://api.example.com/me'],
    clean: ['napi_{lower:20}', 'napi_get_value_string_utf8(env, argv[0], buf, size, &len)'],
  },
  'netlify-access-token': {
    secret: ['{"netlify": {"access_token": "«{word:43}»"}}'],
    clean: [
      'NETLIFY_ACCESS_TOKEN={word:40}',
      'const netlifyAccessToken = await vault.read("netlify_access_token")',
    ],
  },
  'netlify-api-key': {
    secret: ['{"auth":{"value":"«nfp_{alnum:40}»"}}'],
    clean: ['nfp_{alnum:20}', 'nfc_tag_reader_callback_registration_list'],
  },
  'new-relic-browser-api-token': {
    secret: ['deploy --with «NRJS-{hex:19}» --yes'],
    clean: ['GET /v1/items?key=NRJS-{hex:18}&limit=5 200', 'NRJS-{hex:21}'],
  },
  'new-relic-insert-key': {
    secret: ['GET /v1/items?key=«NRII-{word:32}»&limit=5 200'],
    clean: ["client = Client('NRII-{word:31}')", 'NRII-{word:34}'],
  },
  'new-relic-license-key': {
    secret: ['NEW_RELIC_LICENSE_KEY=«{hex:36}NRAL»', 'license_key: «eu01xx{hex:30}NRAL»'],
    clean: ['{hex:20}NRAL', 'general settings'],
  },
  'new-relic-query-key': {
    secret: ["client = Client('«NRIQ-{word:32}»')"],
    clean: ['[warn] retry with NRIQ-{word:31}, attempt 2', 'NRIQ-{word:34}'],
  },
  'new-relic-user-api-id': {
    secret: ['new_relic_user_api_id: «{alnum:64}»'],
    clean: ['NEW_RELIC_USER_API_ID="{alnum:66}"', 'API_KEY={alnum:64}'],
  },
  'new-relic-user-api-key': {
    secret: ['[warn] retry with «NRAK-{upper:27}», attempt 2'],
    clean: ['value: NRAK-{upper:26}', 'NRAK-{upper:29}'],
  },
  'newsapi-key': {
    secret: ["const newsapiKey = '«{hex:32}»'"],
    clean: ['newsapi_key: {hex:33}', 'newsapi_key = os.environ["NEWSAPI_KEY"]'],
  },
  'newscatcher-api-key': {
    secret: ['curl -H "X-Newscatcher-Api-Key: «{word:43}»" https://api.example.com/v1/me'],
    clean: [
      'newscatcher_api_key: {word:42}',
      'const newscatcherApiKey = await vault.read("newscatcher_api_key")',
    ],
  },
  'nftport-api-key': {
    secret: ['settings.nftport_api_key = "«{uuid}»"'],
    clean: ['NFTPORT_API_KEY="{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}"', 'API_KEY={uuid}'],
  },
  'ngrok-api-key': {
    secret: ['<add key="NgrokApiKey" value="«2{alnum:26}_{alnum:21}»" />'],
    clean: ['NGROK_API_KEY={alnum:20}_{alnum:8}', 'ngrok_api_key = os.environ["NGROK_API_KEY"]'],
  },
  'nicereply-api-key': {
    secret: ['  NICEREPLY_API_KEY: "«{hex:40}»" # rotated in May'],
    clean: ['nicereply_api_key: {hex:41}', 'const nicereplyApiKey = await vault.read("nicereply_api_key")'],
  },
  'nightfall-api-key': {
    secret: ['value: «NF-{alnum:32}»'],
    clean: ['use `NF-{alnum:31}` for staging', 'NF-{alnum:34}'],
  },
  'nimble-api-key': {
    secret: ['NimbleClient(nimble_api_key="«{alnum:30}»")'],
    clean: ['NIMBLE_API_KEY="{alnum:32}"', 'API_KEY={alnum:30}'],
  },
  'noticeable-api-key': {
    secret: ['$env:NOTICEABLE_API_KEY = "«{alnum:20}»"'],
    clean: ['noticeable_api_key: {alnum:21}', 'noticeable_api_key = os.environ["NOTICEABLE_API_KEY"]'],
  },
  'notion-api-token': {
    secret: ['use `«ntn_{digits:11}{alnum:35}»` for staging'],
    clean: ['ntn_{digits:11}{alnum:12}', 'ntn_{letters:46}'],
  },
  'notion-secret-key': {
    secret: ['<token>«secret_{alnum:43}»</token>'],
    clean: ['secret_{alnum:40}', 'secret_manager_rotation_schedule_expression_v2'],
  },
  'novita-api-key': {
    secret: ['-e NOVITA_API_KEY=«sk_{word:43}» -p 8080:80'],
    clean: ['NOVITA_API_KEY=sk_{word:20}', 'const novitaApiKey = await vault.read("novita_api_key")'],
  },
  'nozbe-teams-api-key': {
    secret: ['nozbe.teams.api.key=«{alnum:16}_{word:64}»'],
    clean: ['nozbe_teams_api_key: {alnum:16}_{word:63}', 'API_KEY={alnum:16}_{word:64}'],
  },
  'npm-access-token': {
    secret: ['TOKEN=«npm_{alnum:36}»'],
    clean: ['npm_{alnum:20}', 'npm_config_registry npm_package_scripts_test_integration_watch'],
  },
  'npm-access-token-old-format': {
    secret: ['{"name":"NPM_TOKEN","value":"«{uuid}»"}'],
    clean: ['npm_token: {hex:8}-{hex:4}-{hex:4}-{hex:12}', 'npm_token = os.environ["NPM_TOKEN"]'],
  },
  'nuget-api-key': {
    secret: [
      'curl -H "Authorization: Bearer «oy2{[abcdefghijklmnopqrstuvwxyz234567]:43}»" https://api.example.com/me',
    ],
    clean: ['oy2{lower:20}', 'oy2{HEX:43}'],
  },
  'nuget-config-password': {
    secret: [
      '<add key="ClearTextPassword" value="«{alnum:16}»" />',
      '<add  key="Password" value="«{base64:24}»" />',
    ],
    clean: [
      '<add key="ClearTextPassword" value="%PW%" />',
      '<add key="PasswordPolicy" value="{alnum:16}" />',
    ],
  },
  'numverify-api-key': {
    secret: ["'numverify_api_key' => '«{hex:32}»',"],
    clean: ['numverify_api_key: {hex:33}', 'const numverifyApiKey = await vault.read("numverify_api_key")'],
  },
  'nvapi-key': { secret: ['{"auth":{"value":"«nvapi-{word:64}»"}}'], clean: ['nvapi-{word:20}'] },
  'nylas-api-key': {
    secret: ['docker run --env NYLAS_API_KEY="«{lower:30}»" app'],
    clean: ['NYLAS_API_KEY="{lower:32}"', 'API_KEY={lower:30}'],
  },
  'nylas-v3-api-key': { secret: ['deploy --with «nyk_v0_{alnum:64}» --yes'], clean: ['nyk_v0_{alnum:20}'] },
  'nytimes-access-token': {
    secret: ['export NYTIMES_ACCESS_TOKEN=«{alnum:32}»'],
    clean: ['nytimes_access_token: {alnum:33}', 'nytimes_access_token = os.environ["NYTIMES_ACCESS_TOKEN"]'],
  },
  'oanda-api-key': {
    secret: ['{"oanda": {"api_key": "«{hex:32}-{hex:32}»"}}'],
    clean: ['oanda_api_key: {hex:32}-{hex:31}', 'const oandaApiKey = await vault.read("oanda_api_key")'],
  },
  'oci-customer-secret-key': {
    secret: ['oci_customer_secret_key: «{base64:43}=»'],
    clean: ['OCI_CUSTOMER_SECRET_KEY={base64:30}', 'API_KEY={base64:43}='],
  },
  'octopus-deploy-api-key': {
    secret: ['GET /v1/items?key=«API-{upper:26}»&limit=5 200'],
    clean: ['API-{upper:12}', 'API-REFERENCE-AND-STYLE-GUIDE-FOR-TEAMS'],
  },
  'okta-access-token': {
    secret: ["const oktaAccessToken = '«00{word:40}»'"],
    clean: ['okta_access_token: 00{word:39}', 'okta_access_token = os.environ["OKTA_ACCESS_TOKEN"]'],
  },
  'okta-client-secret': {
    secret: ['curl -H "X-Okta-Client-Secret: «{word:64}»" https://api.example.com/v1/me'],
    clean: [
      'okta_client_secret: {word:63}',
      'const oktaClientSecret = await vault.read("okta_client_secret")',
    ],
  },
  'ollama-api-key': {
    secret: ['settings.ollama_api_key = "«{hex:32}.{word:24}»"'],
    clean: ['ollama_api_key: {hex:32}.{word:23}', 'API_KEY={hex:32}.{word:24}'],
  },
  'omnisend-api-key': {
    secret: ['<add key="OmnisendApiKey" value="«{hex:24}-{alnum:50}»" />'],
    clean: ['OMNISEND_API_KEY={hex:24}-{alnum:12}', 'omnisend_api_key = os.environ["OMNISEND_API_KEY"]'],
  },
  'onesignal-api-key': {
    secret: ['  ONESIGNAL_API_KEY: "«{alnum:48}»" # rotated in May'],
    clean: ['onesignal_api_key: {alnum:47}', 'const onesignalApiKey = await vault.read("onesignal_api_key")'],
  },
  'onesignal-rich-authentication-token': {
    secret: ["client = Client('«os_v2_app_{lower:103}»')"],
    clean: ['os_v2_app_{lower:20}'],
  },
  'onfido-api-token': {
    secret: ['[warn] retry with «api_live_us.{word:11}.{word:32}», attempt 2'],
    clean: ['api_live.{word:11}.{word:12}', 'api_live.base_url.replace'],
  },
  'onfleet-api-key': {
    secret: ['OnfleetClient(onfleet_api_key="«{hex:32}»")'],
    clean: ['ONFLEET_API_KEY="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'oopspam-api-key': {
    secret: ['$env:OOPSPAM_API_KEY = "«{alnum:40}»"'],
    clean: ['oopspam_api_key: {alnum:39}', 'oopspam_api_key = os.environ["OOPSPAM_API_KEY"]'],
  },
  'openai-api-key': {
    secret: ['value: «sk-proj-{alnum:74}T3BlbkFJ{word:74}»'],
    clean: ['sk-{alnum:30}', 'sk-proj-your-key-here', 'task-{alnum:44}'],
  },
  'opencagedata-api-key': {
    secret: ['-e OPENCAGEDATA_API_KEY=«{hex:32}» -p 8080:80'],
    clean: [
      'opencagedata_api_key: {hex:33}',
      'const opencagedataApiKey = await vault.read("opencagedata_api_key")',
    ],
  },
  'openrouter-api-key': {
    secret: ['use `«sk-or-v1-{hex:64}»` for staging'],
    clean: ['<token>sk-or-v1-{hex:63}</token>', 'sk-or-v1-{hex:66}'],
  },
  'openshift-user-token': {
    secret: ['<token>«sha256~{word:43}»</token>'],
    clean: ['TOKEN=sha256~{word:42}', 'sha256~{word:45}'],
  },
  'openuv-access-token': {
    secret: ['TOKEN=«openuv-{lower:16}-io»'],
    clean: ['openuv-io', 'openuv-client-io'],
  },
  'openuv-api-key': {
    secret: ['openuv.api.key=«{hex:32}»'],
    clean: ['OPENUV_API_KEY="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'openweather-api-key': {
    secret: ['{"name":"OPENWEATHER_API_KEY","value":"«{hex:32}»"}'],
    clean: ['openweather_api_key: {hex:33}', 'openweather_api_key = os.environ["OPENWEATHER_API_KEY"]'],
  },
  'opsgenie-api-key': {
    secret: ["'opsgenie_api_key' => '«{uuid}»',"],
    clean: [
      'opsgenie_api_key: {hex:8}-{hex:4}-{hex:4}-{hex:12}',
      'const opsgenieApiKey = await vault.read("opsgenie_api_key")',
    ],
  },
  'optimizely-api-key': {
    secret: ['docker run --env OPTIMIZELY_API_KEY="«2:{word:43}»" app'],
    clean: ['OPTIMIZELY_API_KEY=2:{word:20}', 'API_KEY=2:{word:43}'],
  },
  'ory-api-token': {
    secret: ['curl -H "Authorization: Bearer «ory_pat_{alnum:32}»" https://api.example.com/me'],
    clean: ['ory_at_{alnum:12}'],
  },
  'overloop-api-key': {
    secret: ['export OVERLOOP_API_KEY=«{word:50}»'],
    clean: ['overloop_api_key: {word:49}', 'overloop_api_key = os.environ["OVERLOOP_API_KEY"]'],
  },
  'ovh-application-key': {
    secret: ['ovh_application_key: «{alnum:16}»'],
    clean: ['OVH_APPLICATION_KEY="{alnum:18}"', 'API_KEY={alnum:16}'],
  },
  'ovh-application-secret': {
    secret: ["const ovhApplicationSecret = '«{alnum:32}»'"],
    clean: [
      'ovh_application_secret: {alnum:33}',
      'ovh_application_secret = os.environ["OVH_APPLICATION_SECRET"]',
    ],
  },
  'owlbot-api-key': {
    secret: ['curl -H "X-Owlbot-Api-Key: «{hex:40}»" https://api.example.com/v1/me'],
    clean: ['owlbot_api_key: {hex:39}', 'const owlbotApiKey = await vault.read("owlbot_api_key")'],
  },
}
